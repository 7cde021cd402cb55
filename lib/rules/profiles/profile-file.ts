import { Document, isMap, Lexer, LineCounter, Parser, parseDocument, visit } from 'yaml';
import { AppError } from '@/lib/model/errors';
import type { ProfileBody } from '@/lib/model/rules/policy';
import { ruleById } from '@/lib/rules/catalogue';
import { checkFields, checkProfile } from './check-profile';
import { findUnknownFields } from './unknown-fields';

/** A profile nests five levels deep. The parser keeps one stack entry per collection and one for what is being read. */
const MAX_STACK = 24;
/** Fields of one map or words of one list. The check for duplicate fields takes time in the square of their number. */
const MAX_ITEMS = 2000;
/** Signs, words and spaces of the whole file; the largest preset has about 3,000. */
const MAX_LEXEMES = 60_000;

/**
 * Says in a sentence which limit a YAML text exceeds; null = none. It only runs the parser and composes nothing:
 * composing recurses once per level and writes complex fields out again per level (400 question marks take minutes),
 * and a stack overflow within native code ends the process. The parser used here has an explicit stack, whose height is
 * the depth.
 */
function findYamlExcess(text: string): string | null {
  const reader = new Parser();
  let lexemes = 0;
  for (const lexeme of new Lexer().lex(text)) {
    lexemes += 1;
    if (lexemes > MAX_LEXEMES) return `It has more than ${MAX_LEXEMES} words and signs.`;
    // The parser yields finished documents; open collections are on its stack.
    for (const _finished of reader.next(lexeme));
    const { stack } = reader;
    if (stack.length > MAX_STACK) return 'It is nested too deep.';
    const open = stack.at(-1);
    if (open && 'items' in open && open.items.length > MAX_ITEMS)
      return `A list or a map in it has more than ${MAX_ITEMS} entries.`;
  }
  return null;
}

/** Largest profile file, in bytes. */
const MAX_BYTES = 256 * 1024;
/** Profiles need no aliases, and alias bombs consist of them. */
const MAX_ALIASES = 16;

const createInvalidProfileError = (problems: string[]) =>
  new AppError('bad_request', `The profile is not valid. ${problems.slice(0, 5).join(' ')}`, {
    issues: problems.slice(0, 50),
  });

/** Reads a profile from YAML. Throws AppError('bad_request') whose details list everything that is wrong. */
export function parseProfile(text: string): { body: ProfileBody; warnings: string[] } {
  if (Buffer.byteLength(text) > MAX_BYTES)
    throw createInvalidProfileError([`A profile is at most ${MAX_BYTES / 1024} KiB.`]);
  const excess = findYamlExcess(text);
  if (excess !== null) throw createInvalidProfileError([excess]);
  const lines = new LineCounter();
  let value: unknown;
  try {
    const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true, version: '1.2', schema: 'core' });
    if (document.errors.length > 0)
      throw createInvalidProfileError(
        document.errors.map((error) => {
          const { line } = lines.linePos(error.pos[0]);
          // The parser's own message for this case is meant for programmers.
          if (error.code === 'MULTIPLE_DOCS') return `line ${line}: A file holds one profile; a second begins here.`;
          return `line ${line}: ${error.message.split('\n')[0]}`;
        }),
      );
    value = document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw createInvalidProfileError([
      error instanceof RangeError ? 'It is nested too deep.' : (error as Error).message.split('\n')[0]!,
    ]);
  }
  const parsed = checkFields(value);
  const unknownFields = findUnknownFields(value);
  if ('errors' in parsed) throw createInvalidProfileError([...unknownFields, ...parsed.errors]);
  if (unknownFields.length > 0) throw createInvalidProfileError(unknownFields);
  const { errors, warnings } = checkProfile(parsed.body);
  if (errors.length > 0) throw createInvalidProfileError(errors);
  return { body: parsed.body, warnings };
}

/** Lines that a YAML block text can hold unchanged: no line begins or ends with a space or consists of spaces only. */
const LINES = /^(?:\S(?:.*\S)?)?(?:\n+\S(?:.*\S)?)*\n?$/u;

/**
 * Writes a profile as YAML, with the title of each rule as a comment, so that the file can be read without the
 * catalogue.
 */
export function formatProfile(body: ProfileBody): string {
  const rules = Object.fromEntries(
    Object.entries(body.rules).map(([id, { on, strength, params }]) => [
      id,
      Object.keys(params).length === 0 ? { on, strength } : { on, strength, params },
    ]),
  );
  const document = new Document({ ...body, rules });
  const map = document.get('rules') as {
    items: { key: { value: string; commentBefore?: string | null }; value: { flow?: boolean } }[];
  };
  for (const item of map.items) {
    item.value.flow = true;
    const rule = ruleById.get(String(item.key.value));
    if (rule) item.key.commentBefore = ` ${rule.text.en.title} · ${rule.text['zh-CN'].title}`;
  }
  // Within braces a line break would end the word. Elsewhere other invisible characters would be lost or changed. Both
  // are written in double quotes.
  visit(document, {
    Scalar(_key, node, path) {
      if (typeof node.value !== 'string') return;
      const needsQuotes = path.some((parent) => isMap(parent) && parent.flow)
        ? /[\p{C}\p{Z}]/u
        : /[^\n\P{C}]|[\p{Zl}\p{Zp}]/u;
      if (needsQuotes.test(node.value) || !LINES.test(node.value)) node.type = 'QUOTE_DOUBLE';
    },
  });
  return document.toString({ lineWidth: 0 });
}
