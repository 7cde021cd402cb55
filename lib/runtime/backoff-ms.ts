/** Limits the exponent: `2 ** 1024` is Infinity. */
const MAX_DOUBLINGS = 30;

/**
 * Returns the wait in ms after this many failures before: `firstMs`, doubled with each failure up to `maxMs`, and then
 * varied by a fifth in both directions, so that clients that failed together do not retry together. `random` returns 0
 * to 1.
 */
export function computeBackoffMs(
  failures: number,
  { firstMs, maxMs }: { firstMs: number; maxMs: number },
  random: () => number = Math.random,
): number {
  return Math.min(maxMs, firstMs * 2 ** Math.min(failures, MAX_DOUBLINGS)) * (0.8 + random() * 0.4);
}
