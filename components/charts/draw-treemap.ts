import { css, mix, readColor } from '@/components/charts/scales/chart-colors';
import { prepareCrispContext, readPageFonts } from '@/components/charts/scales/crisp-canvas';
import type { Box, Part, Tile } from '@/components/charts/scales/treemap-layout';

export interface TreemapItem {
  id: string;
  label: string;
  value: number;
  valueLabel: string;
  /** Shown instead of `valueLabel` where that does not fit. */
  valueShort: string;
  /** Design token, e.g. `--chart-1`. */
  color: string;
  /** Opacity of the colour over the background, 0…1; that of the theme (`--tile`) if absent. */
  strength?: number;
  /** Parts of the item, shown as a second level. */
  parts?: readonly Part[];
}

interface Look {
  /** Width and height of the canvas in px. */
  size: [number, number];
  activeId: string | null;
  /** The keyboard focus is on the treemap. */
  focus: boolean;
}

/** These are added to the opacity of an item's colour, for the active item and for parts. */
const STRENGTH = { active: 0.12, part: 0.1 };

/** Draws all tiles. Names are drawn where they fit, and values below them where these fit too. */
export function drawTreemap(canvas: HTMLCanvasElement, tiles: readonly Tile<TreemapItem>[], look: Look): void {
  const context = prepareCrispContext(canvas, ...look.size);
  if (!context) return;
  const pens = createPens();
  for (const tile of tiles) drawTile(context, pens, tile, look);
}

/**
 * Margin in px that is cleared around a tile, because its edges may fall between two device pixels. It is less than
 * half of the gap to the next tile (2 px).
 */
const AROUND = 0.5;

/** Redraws these tiles of a drawn treemap; the others stay unchanged. */
export function redrawTiles(canvas: HTMLCanvasElement, tiles: readonly Tile<TreemapItem>[], look: Look): void {
  const context = tiles.length === 0 ? null : canvas.getContext('2d');
  if (!context) return;
  const pens = createPens();
  for (const tile of tiles) {
    context.clearRect(tile.x - AROUND, tile.y - AROUND, tile.width + 2 * AROUND, tile.height + 2 * AROUND);
    drawTile(context, pens, tile, look);
  }
}

type Pens = ReturnType<typeof createPens>;

/** Returns the current fonts and colours of the page. */
function createPens() {
  const ground = readColor('--surface', '#fff');
  const ink = readColor('--foreground', '#111');
  const colors = new Map<string, ReturnType<typeof readColor>>();
  const getColor = (token: string) => {
    const color = colors.get(token) ?? readColor(token);
    colors.set(token, color);
    return color;
  };
  const strength = Number(getComputedStyle(document.documentElement).getPropertyValue('--tile')) || 0.28;
  return { ...readPageFonts(), ground, ink: css(ink), quiet: css(mix(ground, ink, 0.8)), strength, getColor };
}

/** Draws one tile with its parts. Positions of texts are px from the upper left corner of the tile. */
function drawTile(context: CanvasRenderingContext2D, pens: Pens, tile: Tile<TreemapItem>, look: Look): void {
  const { item, x, y, width, height } = tile;
  const color = pens.getColor(item.color);
  const active = item.id === look.activeId;
  const measure = (text: string) => context.measureText(text).width;
  const strength = (item.strength ?? pens.strength) + (active ? STRENGTH.active : 0);
  context.textBaseline = 'alphabetic';
  fill(context, tile, css(mix(pens.ground, color, strength)), 4);
  if (active) {
    context.strokeStyle = look.focus ? pens.ink : css(color);
    context.lineWidth = 2;
    context.beginPath();
    context.roundRect(x + 1, y + 1, width - 2, height - 2, 3);
    context.stroke();
  }
  for (const part of tile.parts) {
    const own = part.item.color === undefined ? color : pens.getColor(part.item.color);
    fill(context, part, css(mix(pens.ground, own, strength + STRENGTH.part)), 3);
    if (part.width < 34 || part.height < 18) continue;
    context.font = `11px ${pens.mono}`;
    context.fillStyle = pens.ink;
    const text = fitText(part.item.label, part.width - 10, measure);
    context.fillText(text, part.x + 5, part.height < 28 ? part.y + part.height / 2 + 4 : part.y + 15);
  }
  if (width < 34 || height < 20) return;
  const room = width - 16;
  context.font = `500 12px ${pens.mono}`;
  const text = fitText(item.label, room, measure);
  if (text === '') return;
  context.fillStyle = pens.ink;
  context.fillText(text, x + 8, height < 36 ? y + height / 2 + 4 : y + 19);
  if (height < 40) return;
  context.font = `11px ${pens.sans}`;
  context.fillStyle = pens.quiet;
  const value = [item.valueLabel, item.valueShort].find((label) => measure(label) <= room);
  if (value) context.fillText(value, x + 8, y + 35);
}

function fill(context: CanvasRenderingContext2D, { x, y, width, height }: Box, style: string, radius: number): void {
  context.fillStyle = style;
  context.beginPath();
  context.roundRect(x, y, width, height, Math.min(radius, width / 4, height / 4));
  context.fill();
}

/**
 * Returns the longest beginning of `text` that fits, with an ellipsis if it was cut; '' if not even three characters
 * fit.
 */
export function fitText(text: string, maxWidth: number, measure: (text: string) => number): string {
  if (measure(text) <= maxWidth) return text;
  const characters = [...text];
  let low = 0;
  let high = characters.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (measure(`${characters.slice(0, middle).join('')}…`) <= maxWidth) low = middle;
    else high = middle - 1;
  }
  return low < 3 ? '' : `${characters.slice(0, low).join('')}…`;
}
