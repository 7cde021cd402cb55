import { splitPieces } from '@/lib/model/names/written-segment';
import { escapeGlob } from '@/lib/model/text/escape-glob';

/** The keys that an exemption is about, in the form of `ExemptionInput`. */
export interface ExemptedPlaces {
  prefixes: string[];
  patterns: string[];
}

/**
 * The scope of an exemption for the keys of a path: a prefix, or a pattern if the path contains folded ids, which then
 * has a wildcard for each. null: the path has no literal letter or digit, so the pattern would match nearly every key.
 * `end`: only names that end at the path.
 */
export function buildPathExemption(path: string, end: boolean): ExemptedPlaces | null {
  const pieces = splitPieces(path);
  if (pieces.length === 0) return null;
  const texts = pieces.flatMap((piece) => ('text' in piece ? [piece.text] : []));
  if (texts.length === pieces.length)
    return end
      ? { prefixes: [], patterns: [escapeGlob(texts.join(''))] }
      : { prefixes: [texts.join('')], patterns: [] };
  if (!texts.some((text) => /[\p{L}\p{N}]/u.test(text))) return null;
  const parts = pieces.map((piece) => ('text' in piece ? escapeGlob(piece.text) : '*'));
  if (!end) parts.push('*');
  return { prefixes: [], patterns: [parts.filter((part, i) => part !== '*' || parts[i - 1] !== '*').join('')] };
}
