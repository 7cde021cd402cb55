import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useLayoutEffect } from 'react';

/** Fewer rows than this are all in the page: they can be found with the browser's own search. */
const WINDOW_FROM = 60;
/** For a table that may be long and has the page to itself: with many rows it scrolls by itself. */
export const longTable = (rows: number): string | undefined =>
  rows > WINDOW_FROM ? 'max-h-[calc(100dvh-16rem)] min-h-72 overflow-y-auto' : undefined;
export const isWindowed = (scrolls: boolean, rows: number): boolean => scrolls && rows > WINDOW_FROM;
const estimateSize = () => 37;
/** Rows drawn beyond those in sight: each costs a visit its share. */
const OVERSCAN = 6;

export interface TableWindow {
  /** Places of the rows that are drawn, ascending. */
  indexes: readonly number[];
  /** Pixels of the rows that are not: before each that is, so that `kept` can be scrolled to, and behind the last. */
  before: readonly number[];
  after: number;
  /** Called with each drawn row's element, which carries `data-index`. */
  measure: ((element: HTMLElement | null) => void) | undefined;
}

/**
 * Only the rows in sight of a scrolling table are drawn, and `kept` (the one that the keyboard is on), so that a
 * thousand rows cost what forty cost. null: all of them are. `scroll`: what scrolls, asked after drawing.
 */
export function useWindow(
  scroll: () => HTMLElement | null,
  ids: readonly string[],
  { windowed, heads, kept }: { windowed: boolean; heads: string; kept: (() => string | null) | undefined },
): TableWindow | null {
  // Another function has the virtualizer measure all rows again.
  const getItemKey = useCallback((index: number) => ids[index] ?? index, [ids]);
  const virtualizer = useVirtualizer({
    count: windowed ? ids.length : 0,
    enabled: windowed,
    getScrollElement: scroll,
    estimateSize,
    getItemKey,
    overscan: OVERSCAN,
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
    ...spacesAround(items, virtualizer.getTotalSize()),
    measure: virtualizer.measureElement,
  };
}

/** The places in sight, and the one of the row that the keyboard is on (-1: none). */
export function withKept(range: Range, at: number): number[] {
  const inSight = defaultRangeExtractor(range);
  return at < 0 || inSight.includes(at) ? inSight : [...inSight, at].sort((a, b) => a - b);
}

/** Pixels of what is not drawn, before each row that is and after the last: rows stand where they would if all were. */
export function spacesAround(
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
 * Rows that come and go must not push the columns about: heads only grow, until the table is made wider or narrower.
 * Observed, because to ask for a width lays the page out, for which a key press need not wait; all are known before the
 * first is set, or each would change the next. `heads`: another text for other columns.
 */
function useSteadyColumns(scroll: () => HTMLElement | null, windowed: boolean, heads: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: see heads
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
          // Reported anew, as wide as it is now.
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
