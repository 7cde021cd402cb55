import { Document, isMap, visit } from 'yaml';
import { AppError } from '@/lib/model/errors';
import type { ProfileBody } from '@/lib/model/rules/policy';
import { ruleById } from '@/lib/rules/catalogue';
import { readYaml, type YamlProblem } from '@/lib/runtime/read-yaml';
import { checkFields, checkProfile } from './check-profile';
import { findUnknownFields } from './unknown-fields';

const createInvalidProfileError = (problems: string[]) =>
  new AppError('bad_request', `The profile is not valid. ${problems.slice(0, 5).join(' ')}`, {
    issues: problems.slice(0, 50),
  });

const describeProblem = ({ line, code, message }: YamlProblem): string => {
  // The parser's own message for this case is meant for programmers.
  const text = code === 'MULTIPLE_DOCS' ? 'A file holds one profile; a second begins here.' : message;
  return line === null ? text : `line ${line}: ${text}`;
};

/** Reads a profile from YAML. Throws AppError('bad_request') whose details list everything that is wrong. */
export function parseProfile(text: string): { body: ProfileBody; warnings: string[] } {
  const { value, problems } = readYaml(text);
  if (problems.length > 0) throw createInvalidProfileError(problems.map(describeProblem));
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
