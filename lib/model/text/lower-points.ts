/** Latin, Greek, Cyrillic: of the letters behind them each version of Unicode knows some more. */
const LAST_KNOWN = 0x52f;

/**
 * Small letters, code point by code point, as the database makes them: what a text becomes never hangs on what stands
 * beside it, so that a part of a text is a part of the whole in small letters too. null: of some letter it is not known
 * what the database makes of it.
 */
export function lowerPoints(text: string): string | null {
  let lowered = '';
  for (const point of text) {
    const small = point.toLowerCase();
    const hasCase = small !== point || point.toUpperCase() !== point;
    if (small.length !== point.length || (hasCase && point.codePointAt(0)! > LAST_KNOWN)) return null;
    lowered += small;
  }
  return lowered;
}
