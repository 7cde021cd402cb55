/** More would exceed any wait, and much more would be infinite. */
const MAX_DOUBLINGS = 30;

/**
 * Returns the wait in ms after `before` earlier failures: `firstMs`, doubled with each failure up to `maxMs`, and
 * varied by a fifth in both directions, so that clients that failed together do not retry together. `random` returns 0
 * to 1.
 */
export function backoffMs(
  before: number,
  { firstMs, maxMs }: { firstMs: number; maxMs: number },
  random: () => number = Math.random,
): number {
  return Math.min(maxMs, firstMs * 2 ** Math.min(before, MAX_DOUBLINGS)) * (0.8 + random() * 0.4);
}
