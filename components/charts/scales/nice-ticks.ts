/**
 * Returns about `count` round ticks from 0 to at least `max`: steps of 1, 2 and 5, for sizes powers of two (256 KiB, 16
 * MiB).
 */
export function buildNiceTicks(max: number, unit: 'count' | 'bytes', count = 4): number[] {
  if (!(max > 0)) return [0, 1];
  const step = unit === 'bytes' ? 2 ** Math.ceil(Math.log2(max / count)) : roundToDecimalStep(max / count);
  const ticks = [0];
  while ((ticks.at(-1) ?? 0) < max) ticks.push(ticks.length * step);
  return ticks;
}

function roundToDecimalStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const times = [1, 2, 5, 10].find((n) => n * power >= rough) ?? 10;
  return Math.max(1, times * power);
}
