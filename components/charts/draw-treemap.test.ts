// @vitest-environment happy-dom
import { describe, expect, it, vi } from 'vitest';
import { layoutTreemap } from '@/components/charts/scales/treemap-layout';
import { drawTreemap, fitText, redrawTiles, type TreemapItem } from './draw-treemap';

/** Colours are replaced by their names, because the test environment has no styles. */
vi.mock('@/components/charts/scales/chart-colors', () => ({
  readColor: (token: string) => token,
  mix: (_ground: string, color: string, strength: number) => `${color} ${strength.toFixed(2)}`,
  css: (color: string) => color,
}));

const item = (id: string, value: number): TreemapItem => ({
  id,
  label: id,
  value,
  valueLabel: `${value} keys`,
  valueShort: `${value}`,
  color: '--chart-1',
});

type Rect = [x: number, y: number, width: number, height: number];

/** A canvas that records the written texts, the colours of filled areas, and the cleared areas. */
function noting() {
  const [written, filled, cleared]: [string[], string[], Rect[]] = [[], [], []];
  const nothing = () => undefined;
  const context = {
    ...{ setTransform: nothing, beginPath: nothing, roundRect: nothing, stroke: nothing },
    fillStyle: '',
    fill() {
      filled.push(this.fillStyle);
    },
    measureText: (text: string) => ({ width: text.length * 6 }),
    fillText: (text: string) => written.push(text),
    clearRect: (...rect: Rect) => cleared.push(rect),
  };
  const canvas = { style: {}, getContext: () => context } as unknown as HTMLCanvasElement;
  return { canvas, written, filled, cleared };
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
  // No part of another tile is cleared.
  for (const tile of others) {
    const apart = tile.x >= x + width || tile.x + tile.width <= x || tile.y >= y + height || tile.y + tile.height <= y;
    expect([tile.item.id, apart]).toEqual([tile.item.id, true]);
  }
});

it('draws parts in their own colour, where they have one', () => {
  const parts = [
    { id: 'rank', label: 'rank', value: 30, color: '--chart-2' },
    { id: 'name', label: 'name', value: 20 },
  ];
  const { canvas, filled } = noting();
  const look = { size: [600, 400] as [number, number], activeId: null, focus: false };
  drawTreemap(canvas, layoutTreemap([{ ...item('game', 50), parts }], 600, 400), look);
  expect(filled).toEqual(['--chart-1 0.28', '--chart-2 0.38', '--chart-1 0.38']);
});

describe('fitText', () => {
  const measure = (text: string) => [...text].length * 7;
  it('keeps what fits, cuts the rest, gives up when hopeless', () => {
    expect(fitText('order', 35, measure)).toBe('order');
    expect(fitText('order:items', 42, measure)).toBe('order…');
    expect(fitText('order:items', 20, measure)).toBe('');
  });
  it('never splits a character made of two code units', () => {
    expect(fitText('🙂🙂🙂🙂🙂', 28, measure)).toBe('🙂🙂🙂…');
  });
});
