import { KINDS, type Kind } from './segment-kind';

/**
 * Paths whose ids are folded: `user:{int}:cart:`. A segment `{int}` stands for every integer. A key may really have the
 * segment `{int}` (hash tags look like that): such a literal is written with a backslash before it, `\{int}`, and one
 * that has backslashes already gets one more, so both directions are exact.
 */
export type PathPart = { kind: Kind } | { text: string };
export interface FoldedPath {
  /** Complete segments, in order. */
  parts: PathPart[];
  /** What stands behind the last delimiter: the beginning of a segment; '' for a path that ends with a delimiter. */
  tail: PathPart;
}

const TOKEN = new RegExp(`^\\{(${KINDS.join('|')})\\}$`);
const ESCAPABLE = new RegExp(`^\\\\*\\{(${KINDS.join('|')})\\}$`);

export const kindToken = (kind: Kind) => `{${kind}}`;

export function escapeSegment(text: string): string {
  return ESCAPABLE.test(text) ? `\\${text}` : text;
}

/** A literal beginning of names as a path: what looks folded in it is a word. */
export const escapePath = (prefix: string, delimiter: string): string =>
  prefix.split(delimiter).map(escapeSegment).join(delimiter);

function parsePart(written: string): PathPart {
  const token = TOKEN.exec(written);
  if (token) return { kind: token[1] as Kind };
  return { text: ESCAPABLE.test(written) ? written.slice(1) : written };
}

export function parsePath(path: string, delimiter: string): FoldedPath {
  const written = path.split(delimiter).map(parsePart);
  const tail = written.pop()!;
  return { parts: written, tail };
}

/** The literal beginning of all names on this path: where folding has not begun yet, everything. */
export function literalPrefix(path: FoldedPath, delimiter: string): { text: string; whole: boolean } {
  let text = '';
  for (const part of path.parts) {
    if ('kind' in part) return { text, whole: false };
    text += part.text + delimiter;
  }
  return 'kind' in path.tail ? { text, whole: false } : { text: text + path.tail.text, whole: true };
}
