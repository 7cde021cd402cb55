/**
 * A chart of the page as a file of its own, in the theme that is shown, with a title and where it comes from. Colours
 * and fonts of a drawing hang on the page's style sheets; they are written into a copy, which then stands alone.
 * Nothing is sent anywhere. A canvas is only a PNG.
 */
export interface Caption {
  title: string;
  source: string;
}
export type PictureFormat = 'png' | 'svg';

const PAD = 16;
const HEAD = 34;
const FOOT = 26;
const SHARP = 2;
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
  const canvas = place.querySelector('canvas');
  if (canvas) return format === 'png' ? framed(canvas, canvas.clientWidth, canvas.clientHeight, caption) : null;
  const drawing = place.querySelector('svg.recharts-surface, svg[data-still]');
  if (!(drawing instanceof SVGSVGElement)) return null;
  const { width, height } = drawing.getBoundingClientRect();
  const svg = standalone(drawing, width, height, caption);
  if (format === 'svg') return svg;
  const address = URL.createObjectURL(svg);
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    return await toPng(width + 2 * PAD, height + HEAD + FOOT, (context) => context.drawImage(image, 0, 0));
  } finally {
    URL.revokeObjectURL(address);
  }
}

const colors = () => {
  const style = getComputedStyle(document.body);
  const said = (name: string) => style.getPropertyValue(name).trim();
  return {
    ground: said('--surface'),
    text: said('--foreground'),
    quiet: said('--muted-foreground'),
    font: style.fontFamily,
  };
};

function standalone(drawing: SVGSVGElement, width: number, height: number, { title, source }: Caption): Blob {
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
  const namespace = 'http://www.w3.org/2000/svg';
  const { ground, text, quiet, font } = colors();
  const make = (name: string, attributes: Record<string, string | number>, words?: string) => {
    const element = document.createElementNS(namespace, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
    if (words !== undefined) element.textContent = words;
    return element;
  };
  const [wide, high] = [width + 2 * PAD, height + HEAD + FOOT];
  const sheet = make('svg', { xmlns: namespace, width: wide, height: high, viewBox: `0 0 ${wide} ${high}` });
  copy.setAttribute('x', String(PAD));
  copy.setAttribute('y', String(HEAD));
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  sheet.append(
    make('title', {}, title),
    make('rect', { width: wide, height: high, fill: ground }),
    make('text', { x: PAD, y: 22, fill: text, 'font-family': font, 'font-size': 14, 'font-weight': 600 }, title),
    copy,
    make('text', { x: PAD, y: high - 9, fill: quiet, 'font-family': font, 'font-size': 11 }, source),
  );
  return new Blob([new XMLSerializer().serializeToString(sheet)], { type: 'image/svg+xml' });
}

function framed(canvas: HTMLCanvasElement, width: number, height: number, { title, source }: Caption) {
  const { text, quiet, font } = colors();
  return toPng(width + 2 * PAD, height + HEAD + FOOT, (context) => {
    context.fillStyle = text;
    context.font = `600 14px ${font}`;
    context.fillText(title, PAD, 22);
    context.drawImage(canvas, PAD, HEAD, width, height);
    context.fillStyle = quiet;
    context.font = `11px ${font}`;
    context.fillText(source, PAD, height + HEAD + FOOT - 9);
  });
}

function toPng(width: number, height: number, draw: (context: CanvasRenderingContext2D) => void): Promise<Blob | null> {
  const sheet = document.createElement('canvas');
  sheet.width = Math.ceil(width * SHARP);
  sheet.height = Math.ceil(height * SHARP);
  const context = sheet.getContext('2d');
  if (!context) return Promise.resolve(null);
  context.scale(SHARP, SHARP);
  context.fillStyle = colors().ground;
  context.fillRect(0, 0, width, height);
  draw(context);
  return new Promise((resolve) => sheet.toBlob(resolve, 'image/png'));
}
