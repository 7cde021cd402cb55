import { escapeSegment, type Piece, splitPieces } from '@/lib/model/names/written-segment';

/**
 * Paths whose ids are folded: `user:{int}:cart:`, `user_{int}:`. A segment `{int}` matches every integer at its place.
 * lib/model/names/fold-segment.ts defines what folds, and how a name that really contains `{int}` is written.
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

const joinText = (pieces: readonly Piece[]) => pieces.map((piece) => ('text' in piece ? piece.text : '')).join('');

function parsePart(form: string): PathPart {
  const pieces = splitPieces(form);
  return pieces.some((piece) => 'kind' in piece) ? { form, pieces } : { text: joinText(pieces) };
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
export function findLiteralPrefix(path: FoldedPath, delimiter: string): { text: string; whole: boolean } {
  let text = '';
  const takeUpToId = ({ pieces }: { pieces: readonly Piece[] }) =>
    text +
    joinText(
      pieces.slice(
        0,
        pieces.findIndex((piece) => 'kind' in piece),
      ),
    );
  for (const part of path.parts) {
    if ('form' in part) return { text: takeUpToId(part), whole: false };
    text += part.text + delimiter;
  }
  return 'form' in path.tail
    ? { text: takeUpToId(path.tail), whole: false }
    : { text: text + path.tail.text, whole: true };
}
