import { css, mix, readColor } from '@/components/charts/scales/chart-colors';
import { crispContext, pageFonts } from '@/components/charts/scales/crisp-canvas';
import { fitText } from '@/components/charts/scales/fit-text';
import type { Box, Tile } from '@/components/charts/scales/treemap-layout';
import type { TreemapItem } from './treemap-item';

interface Look {
  size: [number, number];
  activeId: string | null;
  focus: boolean;
}

/** Names are drawn where they fit, values below them where these fit too. */
export function drawTreemap(canvas: HTMLCanvasElement, tiles: readonly Tile<TreemapItem>[], look: Look): void {
  const context = crispContext(canvas, ...look.size);
  if (!context) return;
  const { sans, mono } = pageFonts();
  const ground = readColor('--surface', '#fff');
  const ink = readColor('--foreground', '#111');
  const quiet = css(mix(ground, ink, 0.66));
  const colors = new Map<string, ReturnType<typeof readColor>>();
  context.textBaseline = 'alphabetic';
  for (const tile of tiles) {
    const { item, x, y, width, height } = tile;
    const color = colors.get(item.color) ?? readColor(item.color);
    colors.set(item.color, color);
    const active = item.id === look.activeId;
    const strength = (item.strength ?? 0.28) + (active ? 0.16 : 0);
    fill(context, tile, css(mix(ground, color, strength)), 4);
    if (active) {
      context.strokeStyle = look.focus ? css(ink) : css(color);
      context.lineWidth = 2;
      context.beginPath();
      context.roundRect(x + 1, y + 1, width - 2, height - 2, 3);
      context.stroke();
    }
    for (const part of tile.parts) {
      fill(context, part, css(mix(ground, color, strength + 0.12)), 3);
      if (part.width < 34 || part.height < 18) continue;
      context.font = `11px ${mono}`;
      context.fillStyle = css(ink);
      const text = fitText(part.item.label, part.width - 10, (s) => context.measureText(s).width);
      context.fillText(text, part.x + 5, part.height < 28 ? part.y + part.height / 2 + 4 : part.y + 15);
    }
    if (width < 34 || height < 20) continue;
    const room = width - 16;
    context.font = `500 12px ${mono}`;
    const text = fitText(item.label, room, (s) => context.measureText(s).width);
    if (text === '') continue;
    context.fillStyle = css(ink);
    context.fillText(text, x + 8, height < 36 ? y + height / 2 + 4 : y + 19);
    if (height < 40) continue;
    context.font = `11px ${sans}`;
    context.fillStyle = quiet;
    const value = [item.valueLabel, item.valueShort].find((s) => context.measureText(s).width <= room);
    if (value) context.fillText(value, x + 8, y + 35);
  }
}

function fill(context: CanvasRenderingContext2D, { x, y, width, height }: Box, style: string, radius: number): void {
  context.fillStyle = style;
  context.beginPath();
  context.roundRect(x, y, width, height, Math.min(radius, width / 4, height / 4));
  context.fill();
}
