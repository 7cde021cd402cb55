import { parseSeconds } from '@/components/reports/filter/parse-quantity';

/** `1h, 1d, 7d` → seconds. null: not understood or not ascending; []: the field is empty. */
export function parseBounds(text: string): number[] | null {
  const parts = text.split(/[,，]/).filter((part) => part.trim() !== '');
  const bounds = parts.map(parseSeconds);
  if (bounds.length > 60) return null;
  let last = 0;
  for (const bound of bounds) {
    if (bound === null || bound === undefined || bound <= last) return null;
    last = bound;
  }
  return bounds as number[];
}
