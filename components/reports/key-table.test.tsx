// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { DataColumn } from '@/components/data-table/data-column';
import type { KeyRow } from '@/lib/model/snapshots/snapshot';
import { aroundPage } from '@/test/show-page';
import { useFilter } from './filter/use-filter';
import { KeyTable } from './key-table';

afterEach(cleanup);

const COLUMNS: DataColumn<KeyRow>[] = [
  { id: 'name', header: 'Name', sort: 'name', cell: (row) => row.name },
  { id: 'bytes', header: 'Size', sort: 'bytes', cell: (row) => row.bytes },
];
const BY_NAME = Array.from({ length: 100 }, (_, i) => ({ k: `k${i}`, name: `key ${i}`, db: 0, bytes: i }));
const BY_SIZE = BY_NAME.toReversed();

function show(id: string, first: string) {
  const list = (sort: string, rows: object[]) => (
    <KeyTable
      {...{ id, label: 'Keys', columns: COLUMNS, rows: rows as KeyRow[], total: 100, firstIndex: 0, sort }}
      onSort={() => {}}
    />
  );
  const readRows = (sort: string) => (sort === 'name' ? BY_NAME : BY_SIZE);
  const { rerender, unmount } = render(list(first, readRows(first)), { wrapper: aroundPage().Around });
  const region = () => screen.getByRole('region', { name: 'Keys' });
  return {
    unmount,
    region,
    // The rows of the former order are shown until the new ones come.
    sortBy: (sort: string, before: string) => {
      rerender(list(sort, readRows(before)));
      rerender(list(sort, readRows(sort)));
    },
  };
}

it('begins at the top of another order, and of one that was seen before', () => {
  const { region, sortBy } = show('orders', 'name');
  region().scrollTop = 500;
  sortBy('-bytes', 'name');
  expect(region().scrollTop).toBe(0);
  region().scrollTop = 300;
  sortBy('name', '-bytes');
  expect(region().scrollTop).toBe(0);
  sortBy('-bytes', 'name');
  expect(region().scrollTop).toBe(0);
});

it('goes on where somebody was who returns to it', () => {
  const left = show('returned', 'name');
  left.region().scrollTop = 500;
  left.unmount();
  expect(show('returned', 'name').region().scrollTop).toBe(500);
});

it('begins at the top under another filter, though it begins with the same key', () => {
  const { Around } = aroundPage({ search: '?type=hash' });
  let set: ReturnType<typeof useFilter>['set'] = () => {};
  const List = () => {
    set = useFilter().set;
    const rows = BY_NAME as unknown as KeyRow[];
    return (
      <KeyTable
        {...{ id: 'filters', label: 'Keys', columns: COLUMNS, rows, total: 100, firstIndex: 0, sort: 'name' }}
        onSort={() => {}}
      />
    );
  };
  render(<List />, { wrapper: Around });
  const region = screen.getByRole('region', { name: 'Keys' });
  region.scrollTop = 500;
  act(() => set({ type: ['list'] }));
  expect(region.scrollTop).toBe(0);
});
