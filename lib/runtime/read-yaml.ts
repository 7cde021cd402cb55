import { Lexer, LineCounter, Parser, parseDocument } from 'yaml';

/** Largest text, in bytes. */
export const MAX_YAML_BYTES = 256 * 1024;
/** A profile nests five levels deep. The parser keeps one stack entry per collection and one for what is being read. */
const MAX_STACK = 24;
/** Fields of one map or words of one list. The check for duplicate fields takes time in the square of their number. */
const MAX_ITEMS = 2000;
/** Signs, words and spaces of the whole text; the largest preset has about 3,000. */
const MAX_LEXEMES = 60_000;
/** Nothing that is read here needs aliases, and alias bombs consist of them. */
const MAX_ALIASES = 16;

export interface YamlProblem {
  /** null = it concerns the whole text. */
  line: number | null;
  /** The code of the parser; null = a limit is exceeded. */
  code: string | null;
  /** A sentence, which may quote the text. */
  message: string;
}

/**
 * Says in a sentence which limit a YAML text exceeds; null = none. It only runs the parser and composes nothing:
 * composing recurses once per level and writes complex fields out again per level (400 question marks take minutes),
 * and a stack overflow within native code ends the process. The parser used here has an explicit stack, whose height is
 * the depth.
 */
function findExcess(text: string): string | null {
  if (Buffer.byteLength(text) > MAX_YAML_BYTES) return `It is larger than ${MAX_YAML_BYTES / 1024} KiB.`;
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

/** Reads a YAML 1.2 text, which includes JSON, within limits. `value` is undefined if there are `problems`. */
export function readYaml(text: string): { value: unknown; problems: YamlProblem[] } {
  const fail = (message: string) => ({ value: undefined, problems: [{ line: null, code: null, message }] });
  const excess = findExcess(text);
  if (excess !== null) return fail(excess);
  const lines = new LineCounter();
  try {
    const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true, version: '1.2', schema: 'core' });
    const problems = document.errors.map(({ code, message, pos }) => ({
      line: lines.linePos(pos[0]).line,
      code,
      message: message.split('\n')[0]!,
    }));
    return problems.length > 0
      ? { value: undefined, problems }
      : { value: document.toJS({ maxAliasCount: MAX_ALIASES }), problems };
  } catch (error) {
    return fail(error instanceof RangeError ? 'It is nested too deep.' : (error as Error).message.split('\n')[0]!);
  }
}
