// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { layoutTreemap } from '@/components/charts/scales/treemap-layout';
import { drawTreemap, redrawTiles } from './draw-treemap';
import type { TreemapItem } from './treemap-item';

const item = (id: string, value: number): TreemapItem => ({
  id,
  label: id,
  value,
  valueLabel: `${value} keys`,
  valueShort: `${value}`,
  color: '--chart-1',
  opens: true,
});

type Rect = [x: number, y: number, width: number, height: number];

/** A canvas that notes what is written on it and what is taken off. */
function noting() {
  const [written, cleared]: [string[], Rect[]] = [[], []];
  const nothing = () => undefined;
  const context = {
    ...{ setTransform: nothing, beginPath: nothing, roundRect: nothing, fill: nothing, stroke: nothing },
    measureText: (text: string) => ({ width: text.length * 6 }),
    fillText: (text: string) => written.push(text),
    clearRect: (...rect: Rect) => cleared.push(rect),
  };
  const canvas = { style: {}, getContext: () => context } as unknown as HTMLCanvasElement;
  return { canvas, written, cleared };
}

it('draws every tile, and of a drawn treemap only those that are asked for', () => {
  const tiles = layoutTreemap([item('carts', 50), item('users', 30), item('locks', 20)], 600, 400);
  const { canvas, written, cleared } = noting();
  const look = { size: [600, 400] as [number, number], activeId: null, focus: false };
  drawTreemap(canvas, tiles, look);
  expect(written).toEqual(['carts', '50 keys', 'users', '30 keys', 'locks', '20 keys']);

  written.length = 0;
  const [carts, ...others] = tiles;
  redrawTiles(canvas, tiles.slice(0, 1), { ...look, activeId: 'carts' });
  expect(written).toEqual(['carts', '50 keys']);
  const [x, y, width, height] = cleared[0]!;
  expect([cleared.length, x <= carts!.x, x + width >= carts!.x + carts!.width]).toEqual([1, true, true]);
  // Nothing of another tile is taken off.
  for (const tile of others) {
    const apart = tile.x >= x + width || tile.x + tile.width <= x || tile.y >= y + height || tile.y + tile.height <= y;
    expect([tile.item.id, apart]).toEqual([tile.item.id, true]);
  }
});
