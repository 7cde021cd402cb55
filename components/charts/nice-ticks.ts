/** Round ticks from 0 to at least `max`, about `count` of them: 1-2-5 steps, for sizes 1-2-5 within binary units. */
export function niceTicks(max: number, unit: 'count' | 'bytes', count = 4): number[] {
  if (!(max > 0)) return [0, 1];
  const rough = max / count;
  const base = unit === 'bytes' ? 1024 ** Math.max(0, Math.floor(Math.log(rough) / Math.log(1024))) : 1;
  const scaled = rough / base;
  const power = 10 ** Math.floor(Math.log10(scaled));
  const times = [1, 2, 5, 10].find((n) => n * power >= scaled) ?? 10;
  const step = Math.max(times * power * base, unit === 'count' ? 1 : 0);
  const ticks = [0];
  while ((ticks.at(-1) ?? 0) < max) ticks.push(ticks.length * step);
  return ticks;
}
