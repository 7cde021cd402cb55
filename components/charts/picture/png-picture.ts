import { canvasFont, colorOf, inkOf } from './page-ink';
import { MARK, type PictureSheet } from './picture-sheet';

/** Twice as many pixels as on the page: pictures are looked at larger. */
const SHARP = 2;

/** A chart that is drawn on a canvas. */
export function pngOfCanvas(chart: HTMLCanvasElement, sheet: PictureSheet): Promise<Blob | null> {
  return toPng(sheet, (context) => {
    for (const { x, y, color } of sheet.marks) {
      context.fillStyle = color;
      context.fillRect(x, y, MARK.width, MARK.height);
    }
    for (const { x, y, text, role } of sheet.words) {
      context.fillStyle = inkOf(role);
      context.font = canvasFont(role);
      context.fillText(text, x, y);
    }
    context.drawImage(chart, sheet.left, sheet.top, chart.clientWidth, chart.clientHeight);
  });
}

/** A picture that is whole as SVG. */
export async function pngOfSvg(svg: Blob, sheet: PictureSheet): Promise<Blob | null> {
  const address = URL.createObjectURL(svg);
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    return await toPng(sheet, (context) => context.drawImage(image, 0, 0));
  } finally {
    URL.revokeObjectURL(address);
  }
}

function toPng(sheet: PictureSheet, draw: (context: CanvasRenderingContext2D) => void): Promise<Blob | null> {
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil(sheet.width * SHARP);
  canvas.height = Math.ceil(sheet.height * SHARP);
  const context = canvas.getContext('2d');
  if (!context) return Promise.resolve(null);
  context.scale(SHARP, SHARP);
  context.fillStyle = colorOf('--surface');
  context.fillRect(0, 0, sheet.width, sheet.height);
  draw(context);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}
