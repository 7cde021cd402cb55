import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useLayoutEffect } from 'react';

/** Up to this many rows, all are rendered, so that the search of the browser finds them. */
const WINDOW_FROM = 60;
/** Class for a table that may be long and is alone on its page: with many rows it scrolls by itself. */
export const limitTableHeight = (rows: number): string | undefined =>
  rows > WINDOW_FROM ? 'max-h-[calc(100dvh-16rem)] min-h-72 overflow-y-auto' : undefined;
export const isWindowed = (scrolls: boolean, rows: number): boolean => scrolls && rows > WINDOW_FROM;
/** Height of most rows in px, until they are measured. */
const estimateSize = () => 37;
/** Rows rendered beyond the visible ones. Each of them makes opening the page slower. */
const OVERSCAN = 6;

interface TableWindow {
  /** Indexes of the rendered rows, ascending. */
  indexes: readonly number[];
  /**
   * Height in px of the rows that are not rendered: `before` each rendered row (so that `kept` can be scrolled to) and
   * `after` the last one.
   */
  before: readonly number[];
  after: number;
  /** Must be called with the element of each rendered row, which has `data-index`. */
  measure: ((element: HTMLElement | null) => void) | undefined;
}

/**
 * Renders only the visible rows of a scrolling table, and `kept` (the row that has the keyboard focus), so that a
 * thousand rows cost as much as forty. Returns null if all rows are rendered. `scroll` returns the scrolling element;
 * it is called after rendering.
 */
export function useWindow(
  scroll: () => HTMLElement | null,
  ids: readonly string[],
  { windowed, heads, kept }: { windowed: boolean; heads: string; kept: (() => string | null) | undefined },
): TableWindow | null {
  // A new function makes the virtualizer measure all rows again.
  const getItemKey = useCallback((index: number) => ids[index] ?? index, [ids]);
  const virtualizer = useVirtualizer({
    count: windowed ? ids.length : 0,
    enabled: windowed,
    getScrollElement: scroll,
    estimateSize,
    getItemKey,
    overscan: OVERSCAN,
    // The server and the first render do not know the height, so they render as many rows as a usual window shows.
    initialRect: { width: 1000, height: 720 },
    rangeExtractor: (range) => {
      const id = kept?.() ?? null;
      return withKept(range, id === null ? -1 : ids.indexOf(id));
    },
  });
  const items = virtualizer.getVirtualItems();
  useSteadyColumns(scroll, windowed, heads);
  if (!windowed) return null;
  return {
    indexes: items.map(({ index }) => index),
    ...computeSpaces(items, virtualizer.getTotalSize()),
    measure: virtualizer.measureElement,
  };
}

/** The indexes of the visible rows, and `at`, the row that has the keyboard focus (-1: none). */
function withKept(range: Range, at: number): number[] {
  const visible = defaultRangeExtractor(range);
  return at < 0 || visible.includes(at) ? visible : [...visible, at].sort((a, b) => a - b);
}

/**
 * Px of the rows that are not rendered, before each rendered row and after the last one: every row is at the position
 * that it would have if all were rendered.
 */
export function computeSpaces(
  items: readonly { start: number; size: number }[],
  total: number,
): { before: number[]; after: number } {
  let end = 0;
  const before = items.map(({ start, size }) => {
    const space = Math.max(0, start - end);
    end = start + size;
    return space;
  });
  return { before, after: Math.max(0, total - end) };
}

/**
 * Rows that come and go while scrolling must not change the widths of columns: headers only grow, until the table gets
 * wider or narrower. A ResizeObserver reports the widths, because reading a width would force a layout during a key
 * press, and because it reports all of them before the first is set: setting one changes the others. `heads`: the ids
 * of the columns.
 */
function useSteadyColumns(scroll: () => HTMLElement | null, windowed: boolean, heads: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: other columns have other headers
  useLayoutEffect(() => {
    const region = scroll();
    if (!windowed || region === null) return;
    const all = region.querySelectorAll<HTMLElement>('thead th[data-column].text-right');
    const widths = new Map<Element, number>();
    const observer = new ResizeObserver((entries) => {
      const outer = entries.find(({ target }) => target === region)?.contentRect.width;
      if (outer !== undefined && outer !== widths.get(region)) {
        widths.clear();
        widths.set(region, outer);
        for (const head of all) {
          head.style.minWidth = '';
          // Makes the observer report the current width again.
          observer.unobserve(head);
          observer.observe(head);
        }
        return;
      }
      for (const { target, borderBoxSize } of entries) {
        const width = borderBoxSize[0]?.inlineSize ?? 0;
        if (target === region || width <= (widths.get(target) ?? 0)) continue;
        widths.set(target, width);
        (target as HTMLElement).style.minWidth = `${width}px`;
      }
    });
    observer.observe(region);
    return () => observer.disconnect();
  }, [windowed, heads]);
}
