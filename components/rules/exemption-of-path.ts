import { piecesOf } from '@/lib/model/names/folded-segment';

/**
 * What exempts the keys of a path: a prefix, or a pattern where it has folded ids, which takes any text in their place.
 * null: nothing that names have in common stands for them. `end`: only the names that end there.
 */
export function exemptionOfPath(path: string, end: boolean): { prefix: string } | { pattern: string } | null {
  const pieces = piecesOf(path);
  if (pieces.length === 0) return null;
  if (pieces.every((piece) => 'text' in piece))
    return { prefix: pieces.map((piece) => ('text' in piece ? piece.text : '')).join('') };
  const pattern = pieces.map((piece) => ('text' in piece ? piece.text : '*')).join('');
  return { pattern: (end ? pattern : `${pattern}*`).replace(/\*{2,}/g, '*') };
}
