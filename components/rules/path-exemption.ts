import { splitPieces } from '@/lib/model/names/written-segment';
import { escapeGlob } from '@/lib/model/text/escape-glob';

/**
 * What exempts the keys of a path: a prefix, or a pattern if the path has folded ids, which takes any text in their
 * place. null: the path has no literal text to match by; a pattern of wildcards and delimiters alone would match nearly
 * every key. `end`: only the names that end there.
 */
export function buildPathExemption(path: string, end: boolean): { prefix: string } | { pattern: string } | null {
  const pieces = splitPieces(path);
  if (pieces.length === 0) return null;
  const texts = pieces.flatMap((piece) => ('text' in piece ? [piece.text] : []));
  if (texts.length === pieces.length) return { prefix: texts.join('') };
  if (!texts.some((text) => /[\p{L}\p{N}]/u.test(text))) return null;
  const parts = pieces.map((piece) => ('text' in piece ? escapeGlob(piece.text) : '*'));
  if (!end) parts.push('*');
  return { pattern: parts.filter((part, i) => part !== '*' || parts[i - 1] !== '*').join('') };
}
