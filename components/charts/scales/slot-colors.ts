import { mix, type Rgb, readColor } from './chart-colors';

/** Returns one colour per step, from the design tokens of the current theme. */
export function buildStepColors(palette: 'sequential' | 'skew', steps: number, outlier: boolean): Rgb[] {
  const ground = readColor('--surface', '#fff');
  const ink = readColor('--foreground', '#111');
  const empty = mix(ground, ink, 0.07);
  const blue = readColor('--chart-1', '#3b82f6');
  if (palette === 'sequential' && outlier)
    return [...buildStepColors(palette, steps - 1, false), readColor('--danger', '#dc2626')];
  if (palette === 'sequential') {
    return Array.from({ length: steps }, (_, i) =>
      i === 0 ? empty : mix(ground, blue, 0.18 + (0.82 * (i - 1)) / Math.max(1, steps - 2)),
    );
  }
  const [warm, hot] = [readColor('--warning-solid', '#f59e0b'), readColor('--danger', '#dc2626')];
  return [
    mix(ground, blue, 0.85),
    mix(ground, blue, 0.55),
    mix(ground, blue, 0.28),
    empty,
    mix(ground, warm, 0.45),
    mix(ground, warm, 0.95),
    hot,
  ];
}
