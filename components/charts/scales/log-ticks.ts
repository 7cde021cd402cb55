/**
 * Returns the ticks of an axis whose steps are powers (of 10, for bytes of 1,024): 0, 1, and then at most `marks` ticks
 * up to the first that is not below `max`, each the same number of powers apart.
 */
export function buildLogTicks(max: number, unit: 'count' | 'bytes', marks = 5): number[] {
  const base = unit === 'count' ? 10 : 1024;
  const powers = Math.max(1, Math.ceil(Math.log(Math.max(1, max)) / Math.log(base) - 1e-9));
  const step = Math.ceil(powers / marks);
  const ticks = [0, 1];
  for (let power = step; ticks.at(-1)! < max; power += step) ticks.push(base ** power);
  return ticks;
}
