import { escapeSegment, type Piece, piecesOf } from '@/lib/model/names/written-segment';

/**
 * Paths whose ids are folded: `user:{int}:cart:`, `user_{int}:`. A segment `{int}` matches every integer at its place.
 * lib/model/names/folded-segment.ts defines what folds, and how a name that really contains `{int}` is written.
 */
export type PathPart = { form: string; pieces: Piece[] } | { text: string };
export interface FoldedPath {
  /** The complete segments, in order. */
  parts: PathPart[];
  /**
   * The text after the last delimiter, which is the beginning of a segment; '' for a path that ends with a delimiter.
   */
  tail: PathPart;
}

/** Writes a literal prefix of names as a path: text in it that looks folded is escaped. */
export const escapePath = (prefix: string, delimiter: string): string =>
  prefix.split(delimiter).map(escapeSegment).join(delimiter);

const textOf = (pieces: readonly Piece[]) => pieces.map((piece) => ('text' in piece ? piece.text : '')).join('');

function parsePart(form: string): PathPart {
  const pieces = piecesOf(form);
  return pieces.some((piece) => 'kind' in piece) ? { form, pieces } : { text: textOf(pieces) };
}

export function parsePath(path: string, delimiter: string): FoldedPath {
  const written = path.split(delimiter).map(parsePart);
  const tail = written.pop()!;
  return { parts: written, tail };
}

/**
 * The literal text that all names on this path begin with, up to the first id. `whole`: nothing is folded, so it is the
 * whole path.
 */
export function literalPrefix(path: FoldedPath, delimiter: string): { text: string; whole: boolean } {
  let text = '';
  const upTo = ({ pieces }: { pieces: readonly Piece[] }) =>
    text +
    textOf(
      pieces.slice(
        0,
        pieces.findIndex((piece) => 'kind' in piece),
      ),
    );
  for (const part of path.parts) {
    if ('form' in part) return { text: upTo(part), whole: false };
    text += part.text + delimiter;
  }
  return 'form' in path.tail ? { text: upTo(path.tail), whole: false } : { text: text + path.tail.text, whole: true };
}
