import { hierarchy, treemap, treemapSquarify } from 'd3-hierarchy';

interface Weighted {
  id: string;
  value: number;
}
export interface Part extends Weighted {
  label: string;
  /** Design token. Absent: the colour of its tile. */
  color?: string | undefined;
}
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}
/** A tile in whole CSS pixels. */
export interface Tile<T> extends Box {
  item: T;
  /** The second level, if the tile is large enough for it. */
  parts: (Box & { item: Part })[];
}

/** Size in px from which a tile shows its second level: it has space for the names of both levels. */
const NESTED_FROM = { width: 96, height: 76 };
/** Space in px above the second level, for the name and value of the tile, and at its other sides. */
const HEAD = 40;
const EDGE = 4;
/** Space in px between two tiles. */
const GAP = 2;

/** Lays out a treemap of two levels. If the parts of a tile do not sum up to its value, the difference stays empty. */
export function layoutTreemap<T extends Weighted & { parts?: readonly Part[] }>(
  items: readonly T[],
  width: number,
  height: number,
): Tile<T>[] {
  return squarify(items, width, height).map((tile) => ({ ...tile, parts: layoutParts(tile) }));
}

function layoutParts({ item, x, y, width, height }: Box & { item: Weighted & { parts?: readonly Part[] } }) {
  const parts = item.parts ?? [];
  if (parts.length === 0 || width < NESTED_FROM.width || height < NESTED_FROM.height) return [];
  // The keys that no part lists take their share of the space, too; they have no label and are not drawn.
  const others = item.value - parts.reduce((sum, part) => sum + part.value, 0);
  const all = others > 0 ? [...parts, { id: '', label: '', value: others }] : parts;
  return squarify(all, width - 2 * EDGE, height - HEAD - EDGE).flatMap((tile) =>
    tile.item.label === '' ? [] : [{ ...tile, x: tile.x + x + EDGE, y: tile.y + y + HEAD }],
  );
}

/**
 * Lays out one level as a squarified treemap, largest first. Items without a positive value, or too small for one
 * pixel, have no tile.
 */
function squarify<T extends Weighted>(items: readonly T[], width: number, height: number): (Box & { item: T })[] {
  const shown = items.filter((item) => item.value > 0);
  if (shown.length === 0 || width <= 0 || height <= 0) return [];
  const root = hierarchy<{ item: T | null; children?: { item: T | null }[] }>({
    item: null,
    children: shown.map((item) => ({ item })),
  })
    .sum((node) => node.item?.value ?? 0)
    .sort((a, b) => (b.value ?? 0) - (a.value ?? 0));
  const placed = treemap<{ item: T | null }>()
    .tile(treemapSquarify.ratio(1.3))
    .size([width, height])
    .paddingInner(GAP)
    .round(true)(root);
  return placed.leaves().flatMap(({ data, x0, x1, y0, y1 }) => {
    const tile = { x: x0, y: y0, width: x1 - x0, height: y1 - y0 };
    return data.item && tile.width >= 1 && tile.height >= 1 ? [{ item: data.item, ...tile }] : [];
  });
}

export function findTileAt<T extends Box>(tiles: readonly T[], x: number, y: number): T | null {
  return tiles.find((t) => x >= t.x && x < t.x + t.width && y >= t.y && y < t.y + t.height) ?? null;
}

export type Direction = 'left' | 'right' | 'up' | 'down';

/**
 * Returns the nearest tile in a direction; null: there is none. Sideways distance counts double, so that the arrow keys
 * stay in a row as long as possible.
 */
export function findNeighbour<T>(tiles: readonly Tile<T>[], from: Tile<T>, direction: Direction): Tile<T> | null {
  const [cx, cy] = [from.x + from.width / 2, from.y + from.height / 2];
  let best: Tile<T> | null = null;
  let bestCost = Number.POSITIVE_INFINITY;
  for (const tile of tiles) {
    if (tile === from) continue;
    const ahead = {
      left: from.x - (tile.x + tile.width),
      right: tile.x - (from.x + from.width),
      up: from.y - (tile.y + tile.height),
      down: tile.y - (from.y + from.height),
    }[direction];
    // Edges are rounded to whole pixels, so a neighbour may overlap by one.
    if (ahead < -1) continue;
    const across =
      direction === 'left' || direction === 'right'
        ? Math.abs(tile.y + tile.height / 2 - cy)
        : Math.abs(tile.x + tile.width / 2 - cx);
    const cost = ahead + across * 2;
    if (cost < bestCost) [best, bestCost] = [tile, cost];
  }
  return best;
}
