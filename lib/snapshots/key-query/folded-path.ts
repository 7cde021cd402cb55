import { escapeSegment, type Piece, splitPieces } from '@/lib/model/names/written-segment';
import type { ReportQuery } from '@/lib/model/reports/query';
import { toWellFormed } from '@/lib/model/text/to-well-formed';
import { TEMPLATE_DELIMITER } from '@/lib/snapshots/query/columns';

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
const escapePath = (prefix: string, delimiter: string): string =>
  prefix.split(delimiter).map(escapeSegment).join(delimiter);

/**
 * Returns the path of a query in folded form. A prefix is the literal beginning of names; only a template has folded
 * ids.
 */
export const toQueryPath = (
  { prefix, template }: Pick<ReportQuery, 'prefix' | 'template'>,
  delimiter = TEMPLATE_DELIMITER,
): string => toWellFormed(template || escapePath(prefix ?? '', delimiter));

/** Joins the literal texts of a segment, without its ids. */
export const joinPieceTexts = (pieces: readonly Piece[]) =>
  pieces.map((piece) => ('text' in piece ? piece.text : '')).join('');

function parsePart(form: string): PathPart {
  const pieces = splitPieces(form);
  return pieces.some((piece) => 'kind' in piece) ? { form, pieces } : { text: joinPieceTexts(pieces) };
}

export function parsePath(path: string, delimiter: string): FoldedPath {
  const parts = path.split(delimiter).map(parsePart);
  const tail = parts.pop()!;
  return { parts, tail };
}

/**
 * Returns the literal text that all names on this path begin with, up to the first id. `whole`: nothing is folded, so
 * it is the whole path.
 */
export function findLiteralPrefix(path: FoldedPath, delimiter: string): { text: string; whole: boolean } {
  let text = '';
  const addUpToId = ({ pieces }: { pieces: readonly Piece[] }) => {
    const firstId = pieces.findIndex((piece) => 'kind' in piece);
    return text + joinPieceTexts(pieces.slice(0, firstId));
  };
  for (const part of path.parts) {
    if ('form' in part) return { text: addUpToId(part), whole: false };
    text += part.text + delimiter;
  }
  return 'form' in path.tail
    ? { text: addUpToId(path.tail), whole: false }
    : { text: text + path.tail.text, whole: true };
}
