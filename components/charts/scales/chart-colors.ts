/**
 * Colours for canvases, which cannot use CSS variables: they are read from the design tokens when a canvas is drawn,
 * and again when the theme changes.
 */

/** Red, green and blue, 0–255. */
export type Rgb = readonly [number, number, number];

let probe: CanvasRenderingContext2D | null = null;
const known = new Map<string, Rgb>();

/** A token may be any CSS colour (oklch, hex…), so one pixel is painted to learn its sRGB value. */
function toRgb(css: string): Rgb {
  const cached = known.get(css);
  if (cached) return cached;
  probe ??= Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', {
    willReadFrequently: true,
  });
  if (!probe) return [128, 128, 128];
  probe.clearRect(0, 0, 1, 1);
  // A colour that the browser does not know changes nothing, so grey is set first.
  probe.fillStyle = '#808080';
  probe.fillStyle = css;
  probe.fillRect(0, 0, 1, 1);
  const [r = 128, g = 128, b = 128] = probe.getImageData(0, 0, 1, 1).data;
  const rgb: Rgb = [r, g, b];
  known.set(css, rgb);
  return rgb;
}

/** Returns the colour of a design token; `fallback` if the page does not define it. */
export function readColor(name: string, fallback = '#808080'): Rgb {
  const value = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  return toRgb(value || fallback);
}

/** Mixes two colours. `share` 0 = only `under`, 1 = only `over`. */
export function mix(under: Rgb, over: Rgb, share: number): Rgb {
  const mixChannel = (i: 0 | 1 | 2) => Math.round(under[i] + (over[i] - under[i]) * share);
  return [mixChannel(0), mixChannel(1), mixChannel(2)];
}

export const css = ([r, g, b]: Rgb): string => `rgb(${r} ${g} ${b})`;
