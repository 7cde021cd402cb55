/**
 * Canvas cannot use CSS variables, so colours are read from the design tokens at draw time and again when the theme
 * changes. A token may be any CSS colour (oklch, hex…): one pixel is painted to learn its sRGB value.
 */
export type Rgb = readonly [number, number, number];

let probe: CanvasRenderingContext2D | null = null;
const known = new Map<string, Rgb>();

export function toRgb(css: string): Rgb {
  const hit = known.get(css);
  if (hit) return hit;
  probe ??= Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', {
    willReadFrequently: true,
  });
  if (!probe) return [128, 128, 128];
  probe.clearRect(0, 0, 1, 1);
  probe.fillStyle = '#808080';
  probe.fillStyle = css;
  probe.fillRect(0, 0, 1, 1);
  const [r = 128, g = 128, b = 128] = probe.getImageData(0, 0, 1, 1).data;
  const rgb: Rgb = [r, g, b];
  known.set(css, rgb);
  return rgb;
}

export function readColor(name: string, fallback = '#808080'): Rgb {
  const value = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  return toRgb(value || fallback);
}

/** Mixes two colours. `share` 0 = only `under`, 1 = only `over`. */
export function mix(under: Rgb, over: Rgb, share: number): Rgb {
  const at = (i: 0 | 1 | 2) => Math.round(under[i] + (over[i] - under[i]) * share);
  return [at(0), at(1), at(2)];
}

export const css = ([r, g, b]: Rgb): string => `rgb(${r} ${g} ${b})`;
