// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { IntlProvider } from 'use-intl';
import { afterEach, expect, it, vi } from 'vitest';
import { messages } from '@/messages';
import type { DataColumn } from './data-column';
import { DataTable } from './data-table';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

interface Line {
  id: string;
  keys: number;
}
const COLUMNS: DataColumn<Line>[] = [
  { id: 'name', header: 'Name', cell: (line) => line.id },
  { id: 'keys', header: 'Keys', num: true, cell: (line) => line.keys },
  { id: 'bytes', header: 'Memory', num: true, cell: (line) => line.keys },
];
const ROWS = Array.from({ length: 100 }, (_, i) => ({ id: `row ${i}`, keys: i }));

/** Records which observer observes which element; the test reports sizes itself. */
function stubSizes() {
  const observers = new Map<ResizeObserverCallback, Set<Element>>();
  class Stub {
    private readonly seen = new Set<Element>();
    constructor(tell: ResizeObserverCallback) {
      observers.set(tell, this.seen);
    }
    observe(element: Element) {
      this.seen.add(element);
    }
    unobserve(element: Element) {
      this.seen.delete(element);
    }
    disconnect() {
      this.seen.clear();
    }
  }
  vi.stubGlobal('ResizeObserver', Stub);
  return (...sizes: [Element, number][]) => {
    for (const [tell, seen] of [...observers]) {
      const entries = sizes.flatMap(([target, width]) =>
        seen.has(target) ? { target, contentRect: { width }, borderBoxSize: [{ inlineSize: width }] } : [],
      );
      if (entries.length > 0) tell(entries as unknown as ResizeObserverEntry[], {} as ResizeObserver);
    }
  };
}

it('keeps the widths of heads from the first drawing on, until the table has another one', () => {
  const resize = stubSizes();
  render(
    <IntlProvider locale="en" messages={messages.en} timeZone="UTC">
      <DataTable label="Lines" className="overflow-y-auto" columns={COLUMNS} rows={ROWS} rowId={(line) => line.id} />
    </IntlProvider>,
  );
  const region = screen.getByRole('region', { name: 'Lines' });
  const [name, keys, bytes] = screen.getAllByRole('columnheader');
  const widths = () => [name, keys, bytes].map((head) => head!.style.minWidth);
  resize([region, 900]);
  resize([name!, 500], [keys!, 100.25], [bytes!, 120.5]);
  expect(widths()).toEqual(['', '100.25px', '120.5px']);
  resize([keys!, 90], [bytes!, 150]);
  expect(widths()).toEqual(['', '100.25px', '150px']);
  resize([region, 900], [keys!, 110]);
  expect(widths()).toEqual(['', '110px', '150px']);
  resize([region, 400], [keys!, 110]);
  expect(widths()).toEqual(['', '', '']);
  resize([keys!, 60], [bytes!, 70]);
  expect(widths()).toEqual(['', '60px', '70px']);
});
