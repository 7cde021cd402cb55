import { describe, expect, it } from 'vitest';
import { findNeighbour, findTileAt, layoutTreemap } from './treemap-layout';

const items = [60, 20, 10, 6, 4, 0, -1].map((value, i) => ({ id: `n${i}`, value }));

describe('layoutTreemap', () => {
  it('gives each positive item an area in proportion to its value', () => {
    const tiles = layoutTreemap(items, 1000, 500);
    expect(tiles).toHaveLength(5);
    for (const tile of tiles) {
      expect(Math.abs((tile.width * tile.height) / 500_000 - tile.item.value / 100)).toBeLessThan(0.01);
    }
  });
  it('stays inside the box, on whole pixels, without overlap', () => {
    const tiles = layoutTreemap(
      Array.from({ length: 200 }, (_, i) => ({ id: `${i}`, value: (i * 37) % 101 })),
      643,
      377,
    );
    for (const a of tiles) {
      expect(Number.isInteger(a.x) && Number.isInteger(a.width)).toBe(true);
      expect(a.x + a.width).toBeLessThanOrEqual(643);
      expect(a.y + a.height).toBeLessThanOrEqual(377);
      for (const b of tiles) {
        if (a === b) continue;
        const apart = a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
        expect(apart).toBe(true);
      }
    }
  });
  it('is empty without room or values', () => {
    expect(layoutTreemap(items, 0, 100)).toEqual([]);
    expect(layoutTreemap([{ id: 'a', value: 0 }], 100, 100)).toEqual([]);
  });
  it('finds the tile under a point', () => {
    const tiles = layoutTreemap(items, 1000, 500);
    for (const tile of tiles) expect(findTileAt(tiles, tile.x + 1, tile.y + 1)).toBe(tile);
    expect(findTileAt(tiles, 2000, 1)).toBeNull();
  });
  it('walks to neighbours and reaches every tile by arrows', () => {
    const tiles = layoutTreemap(items, 1000, 500);
    const reached = new Set([tiles[0]!]);
    for (const tile of reached) {
      for (const direction of ['left', 'right', 'up', 'down'] as const) {
        const next = findNeighbour(tiles, tile, direction);
        if (next) reached.add(next);
      }
    }
    expect(reached.size).toBe(tiles.length);
    const leftmost = tiles.find((t) => t.x === 0)!;
    expect(findNeighbour(tiles, leftmost, 'left')).toBeNull();
  });
});

describe('a second level', () => {
  const parts = [
    { id: 'a', label: 'a', value: 30 },
    { id: 'b', label: 'b', value: 20 },
  ];

  it('lies within its tile, below the names, and what it does not add up to stays empty', () => {
    const [tile] = layoutTreemap([{ id: 'x', value: 100, parts }], 400, 300);
    expect(tile?.parts.map((part) => part.item.id)).toEqual(['a', 'b']);
    for (const part of tile!.parts) {
      expect(part.x).toBeGreaterThanOrEqual(tile!.x);
      expect(part.y).toBeGreaterThanOrEqual(tile!.y + 36);
      expect(part.x + part.width).toBeLessThanOrEqual(tile!.x + tile!.width);
      expect(part.y + part.height).toBeLessThanOrEqual(tile!.y + tile!.height);
    }
    const area = tile!.parts.reduce((sum, part) => sum + part.width * part.height, 0);
    expect(area / (392 * 256)).toBeCloseTo(0.5, 1);
    const [first] = tile!.parts;
    expect(findTileAt(tile!.parts, first!.x + 1, first!.y + 1)?.item.id).toBe('a');
  });

  it('is left out where there is no room for it', () => {
    expect(layoutTreemap([{ id: 'x', value: 1, parts }], 80, 300)[0]?.parts).toEqual([]);
    expect(layoutTreemap([{ id: 'x', value: 1, parts }], 300, 60)[0]?.parts).toEqual([]);
  });
});
