import { colorOf, fontOf, inkOf, wordWidth } from './page-ink';
import { type Caption, type LegendEntry, MARK, type PictureSheet, pictureSheet } from './picture-sheet';
import { pngOfCanvas, pngOfSvg } from './png-picture';

/**
 * A chart of the page as a file of its own, in the theme that is shown, with a title, its legend and where it comes
 * from. Colours and fonts of a drawing hang on the page's style sheets; they are written into a copy, which then stands
 * alone. Nothing is sent anywhere. A canvas is only a PNG.
 */
export type PictureFormat = 'png' | 'svg';

const WAIT_MS = 5000;
const STEP_MS = 50;
const STYLES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-opacity',
  'stroke-dasharray',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
];

/** null: there is no drawing in it (it is shown as a table, or still loading). */
export async function pictureOf(place: HTMLElement, caption: Caption, format: PictureFormat): Promise<Blob | null> {
  const sheetOf = (size: { width: number; height: number }) =>
    pictureSheet(size, caption, legendOf(place), wordWidth());
  const drawing = await drawingIn(place);
  if (drawing instanceof HTMLCanvasElement) {
    const size = { width: drawing.clientWidth, height: drawing.clientHeight };
    return format === 'png' ? pngOfCanvas(drawing, sheetOf(size)) : null;
  }
  if (drawing === null) return null;
  const { width, height } = drawing.getBoundingClientRect();
  const sheet = sheetOf({ width, height });
  const svg = standalone(drawing, { width, height }, sheet);
  return format === 'svg' ? svg : pngOfSvg(svg, sheet);
}

/** A still drawing gives way to a live one when somebody points at it: for a moment there is neither. */
async function drawingIn(place: HTMLElement): Promise<HTMLCanvasElement | SVGSVGElement | null> {
  for (let waited = 0; waited <= WAIT_MS; waited += STEP_MS) {
    const found = place.querySelector('canvas, svg.recharts-surface, svg[data-still]');
    if (found instanceof HTMLCanvasElement || found instanceof SVGSVGElement) return found;
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
  }
  return null;
}

/** The names and colours that stand around the chart on the page. */
function legendOf(place: HTMLElement): LegendEntry[] {
  return [...place.querySelectorAll<HTMLElement>('[data-legend]')].map((entry) => ({
    name: entry.textContent ?? '',
    color: colorOf(entry.dataset.legend ?? ''),
  }));
}

function standalone(drawing: SVGSVGElement, size: { width: number; height: number }, sheet: PictureSheet): Blob {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const from = [drawing, ...drawing.querySelectorAll('*')];
  const to = [copy, ...copy.querySelectorAll('*')];
  from.forEach((element, index) => {
    const target = to[index];
    if (!target) return;
    const style = getComputedStyle(element);
    for (const name of STYLES) target.setAttribute(name, style.getPropertyValue(name));
    target.removeAttribute('class');
    target.removeAttribute('style');
  });
  for (const [name, value] of Object.entries({ x: sheet.left, y: sheet.top, ...size }))
    copy.setAttribute(name, String(value));
  const { width, height, marks, words } = sheet;
  const picture = made('svg', { xmlns: SVG, width, height, viewBox: `0 0 ${width} ${height}` });
  picture.append(
    ...words.filter(({ role }) => role === 'title').map(({ text }) => made('title', {}, text)),
    made('rect', { width, height, fill: colorOf('--surface') }),
    ...marks.map(({ x, y, color }) => made('rect', { x, y, ...MARK, fill: color })),
    ...words.map(({ x, y, text, role }) => {
      const { size, weight, family } = fontOf(role);
      const font = { 'font-size': size, 'font-weight': weight, 'font-family': family };
      return made('text', { x, y, fill: inkOf(role), ...font }, text);
    }),
    copy,
  );
  return new Blob([new XMLSerializer().serializeToString(picture)], { type: 'image/svg+xml' });
}

const SVG = 'http://www.w3.org/2000/svg';

function made(name: string, attributes: Record<string, string | number>, words?: string): Element {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  if (words !== undefined) element.textContent = words;
  return element;
}
