/**
 * How long to wait after so many failures before this one, ms: `firstMs`, doubling to `maxMs`, spread by a fifth to
 * either side so that those who failed together do not return together. `random`: 0 to 1.
 */
export function backoffMs(
  before: number,
  { firstMs, maxMs }: { firstMs: number; maxMs: number },
  random: () => number = Math.random,
): number {
  return Math.min(maxMs, firstMs * 2 ** Math.min(before, 30)) * (0.8 + random() * 0.4);
}
