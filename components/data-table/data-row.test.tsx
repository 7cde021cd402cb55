// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { IntlProvider } from 'use-intl';
import { afterEach, expect, it } from 'vitest';
import { messages } from '@/messages';
import type { DataColumn, RowMark } from './data-column';
import { DataTable } from './data-table';

interface Shop {
  name: string;
  keys: number;
}

const SHOPS: Shop[] = ['a', 'b', 'c', 'd'].map((name, keys) => ({ name, keys }));

afterEach(cleanup);

/** Columns that record which rows are rendered. */
function noting() {
  const drawn: string[] = [];
  const columns: DataColumn<Shop>[] = [
    {
      id: 'name',
      header: 'Name',
      expander: true,
      cell: (shop) => {
        drawn.push(shop.name);
        return `${shop.name} ${shop.keys}`;
      },
    },
  ];
  const taken = () => drawn.splice(0).sort();
  return { columns, taken };
}

const Page = (props: Partial<Parameters<typeof DataTable<Shop>>[0]> & { columns: DataColumn<Shop>[] }) => (
  <IntlProvider locale="en" messages={messages.en} timeZone="UTC">
    <DataTable label="Shops" rows={SHOPS} rowId={(shop) => shop.name} {...props} />
  </IntlProvider>
);

it('draws the row anew that is ticked or opened, and leaves the others as they stand', () => {
  const { columns, taken } = noting();
  function Ticked() {
    const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
    const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
    return (
      <Page
        columns={columns}
        selection={{
          chosen,
          label: (shop) => `Select ${shop.name}`,
          labelAll: 'Select all',
          onToggle: (rows, on) => setChosen(new Set(on ? rows.map(({ name }) => name) : [])),
        }}
        expansion={{
          open,
          rows: NOTHING_BELOW,
          canOpen: () => true,
          label: (shop) => `Open ${shop.name}`,
          onToggle: (id) => setOpen(new Set([id])),
        }}
      />
    );
  }
  render(<Ticked />);
  taken();
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select b' }));
  expect(taken()).toEqual(['b']);
  expect((screen.getByRole('checkbox', { name: 'Select b' }) as HTMLInputElement).checked).toBe(true);
  fireEvent.click(screen.getByRole('button', { name: 'Open c' }));
  expect(taken()).toEqual(['c']);
  expect(screen.getByRole('button', { name: 'Open c' }).getAttribute('aria-expanded')).toBe('true');
});
const NOTHING_BELOW: ReadonlyMap<string, Shop[]> = new Map();

it('draws the two rows anew that a mark leaves and comes to', () => {
  const { columns, taken } = noting();
  let marked = '';
  const listeners = new Set<() => void>();
  const mark: RowMark<Shop> = {
    subscribe: (onChange) => {
      listeners.add(onChange);
      return () => void listeners.delete(onChange);
    },
    isMarked: (shop) => shop.name === marked,
    isReachable: () => true,
  };
  const move = (to: string) =>
    act(() => {
      marked = to;
      for (const listener of listeners) listener();
    });
  render(<Page columns={columns} mark={mark} />);
  const isMarked = (name: string) =>
    screen.getByRole('cell', { name: new RegExp(`^${name}`) }).parentElement?.classList.contains('bg-hover');
  taken();
  move('a');
  expect(taken()).toEqual(['a']);
  expect([isMarked('a'), isMarked('c')]).toEqual([true, false]);
  move('c');
  expect(taken()).toEqual(['a', 'c']);
  expect([isMarked('a'), isMarked('c')]).toEqual([false, true]);
});

it('draws what is new: another record, other columns, another row to come to by Tab', () => {
  const { columns, taken } = noting();
  const { rerender } = render(<Page columns={columns} />);
  taken();
  rerender(<Page columns={columns} />);
  expect(taken()).toEqual([]);
  rerender(<Page columns={columns} rows={SHOPS.map((shop) => ({ ...shop, keys: shop.keys + 10 }))} />);
  expect(screen.getByRole('cell', { name: 'b 11' })).toBeTruthy();
  taken();
  rerender(<Page columns={[{ ...columns[0]!, cell: (shop) => `shop ${shop.name}` }]} />);
  expect(screen.getByRole('cell', { name: 'shop d' })).toBeTruthy();

  const reaching: DataColumn<Shop>[] = [
    { ...columns[0]!, cell: (shop, { reachable }) => `${shop.name} ${reachable ? 'reached' : 'passed'}` },
  ];
  const at = (name: string): RowMark<Shop> => ({
    subscribe: () => () => undefined,
    isMarked: () => false,
    isReachable: (shop) => shop.name === name,
  });
  rerender(<Page columns={reaching} mark={at('b')} />);
  expect(screen.getByRole('cell', { name: 'b reached' })).toBeTruthy();
  rerender(<Page columns={reaching} mark={at('d')} />);
  expect(screen.getByRole('cell', { name: 'd reached' })).toBeTruthy();
  expect(screen.getByRole('cell', { name: 'b passed' })).toBeTruthy();
});
