/**
 * The wait after `before` earlier failures, ms: `firstMs`, doubled with each failure up to `maxMs`, and varied by a
 * fifth in both directions, so that clients that failed together do not retry together. `random`: 0 to 1.
 */
export function backoffMs(
  before: number,
  { firstMs, maxMs }: { firstMs: number; maxMs: number },
  random: () => number = Math.random,
): number {
  return Math.min(maxMs, firstMs * 2 ** Math.min(before, 30)) * (0.8 + random() * 0.4);
}
