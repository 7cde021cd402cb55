// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { renderToString } from 'react-dom/server';
import { IntlProvider } from 'use-intl';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { messages } from '@/messages';
import { ColumnChooser } from './column-chooser';
import type { DataColumn } from './data-column';
import { DataTable } from './data-table';
import { readTable } from './read-table';

interface Shop {
  name: string;
  keys: number | null;
}

const SHOPS: Shop[] = [
  { name: 'b', keys: 5 },
  { name: 'nobody', keys: null },
  { name: 'a10', keys: 0 },
  { name: 'a2', keys: 9 },
];
const COLUMNS: DataColumn<Shop>[] = [
  { id: 'name', header: 'Name', fixed: true, value: (shop) => shop.name, cell: (shop) => shop.name },
  { id: 'keys', header: 'Keys', num: true, value: (shop) => shop.keys, cell: (shop) => shop.keys ?? '—' },
  { id: 'note', header: 'Note', hide: 'max-sm:hidden', cell: () => 'text' },
];

// The menu's code is loaded when the first menu opens, so load it here.
beforeAll(() => import('@/components/ui/overlays/parts/menu-parts').then(() => {}), 60_000);
beforeEach(() => localStorage.clear());
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

function Page(props: Partial<Parameters<typeof DataTable<Shop>>[0]>) {
  return (
    <IntlProvider locale="en" messages={messages.en} timeZone="UTC">
      <ColumnChooser table="shops" columns={COLUMNS} />
      <DataTable id="shops" label="Shops" columns={COLUMNS} rows={SHOPS} rowId={(shop) => shop.name} {...props} />
    </IntlProvider>
  );
}

const names = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('cell')[0]?.textContent);
const head = (name: string) => screen.getByRole('columnheader', { name });
const press = (name: string) => fireEvent.click(within(head(name)).getByRole('button'));

it('sorts figures by the largest first, then the smallest, then as they came; unknown is always last', () => {
  render(<Page />);
  expect(names()).toEqual(['b', 'nobody', 'a10', 'a2']);
  press('Keys');
  expect(names()).toEqual(['a2', 'b', 'a10', 'nobody']);
  expect(head('Keys').getAttribute('aria-sort')).toBe('descending');
  press('Keys');
  expect(names()).toEqual(['a10', 'b', 'a2', 'nobody']);
  expect(head('Keys').getAttribute('aria-sort')).toBe('ascending');
  press('Keys');
  expect(names()).toEqual(['b', 'nobody', 'a10', 'a2']);
  expect(head('Keys').getAttribute('aria-sort')).toBe('none');
});

it('sorts names as people count, and offers no button where nothing can be sorted', () => {
  render(<Page />);
  press('Name');
  expect(names()).toEqual(['a2', 'a10', 'b', 'nobody']);
  expect(within(head('Note')).queryByRole('button')).toBeNull();
});

it('shows the first rows of its order until the others are asked for, and saves all', async () => {
  render(<Page first={2} />);
  press('Keys');
  expect(names()).toEqual(['a2', 'b']);
  expect(readTable('shops')?.length).toBe(1 + SHOPS.length);
  await waitFor(() => expect(names()).toEqual(['a2', 'b']));
  fireEvent.click(await screen.findByRole('button', { name: 'Show 2 more' }));
  expect(names()).toEqual(['a2', 'b', 'a10', 'nobody']);
  fireEvent.click(screen.getByRole('button', { name: 'Show the first 2' }));
  expect(names()).toEqual(['a2', 'b']);
});

it('leaves rows that a server sorts as they are and asks it for the other order', () => {
  const asked: string[] = [];
  const columns: DataColumn<Shop>[] = [{ id: 'keys', header: 'Keys', sort: 'size', num: true, cell: (s) => s.name }];
  render(<Page columns={columns} order={{ sort: '-size', onSort: (sort) => asked.push(sort), byServer: true }} />);
  expect(names()).toEqual(['b', 'nobody', 'a10', 'a2']);
  expect(head('Keys').getAttribute('aria-sort')).toBe('descending');
  press('Keys');
  expect(asked).toEqual(['size']);
  cleanup();
  render(<Page columns={columns} order={{ sort: 'size', onSort: (sort) => asked.push(sort), byServer: true }} />);
  press('Keys');
  expect(asked).toEqual(['size', '-size']);
});

it('ignores an order that no column knows', () => {
  render(<Page order={{ sort: 'toString', onSort: () => undefined }} />);
  expect(names()).toEqual(['b', 'nobody', 'a10', 'a2']);
});

function Ticked({ onChosen }: { onChosen: (chosen: string[]) => void }) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(['elsewhere']));
  return (
    <Page
      selection={{
        chosen,
        can: (shop) => shop.name !== 'nobody',
        label: (shop) => `Select ${shop.name}`,
        labelAll: 'Select all',
        onToggle: (rows, on) =>
          setChosen((old) => {
            const next = new Set(old);
            for (const { name } of rows) on ? next.add(name) : next.delete(name);
            onChosen([...next]);
            return next;
          }),
      }}
    />
  );
}

it('ticks a range with Shift, in the order that is shown, and nothing that cannot be ticked', () => {
  let chosen: string[] = [];
  render(<Ticked onChosen={(next) => (chosen = next)} />);
  const box = (name: string) => screen.getByRole('checkbox', { name: `Select ${name}` });
  press('Keys');
  fireEvent.click(box('a2'));
  expect(chosen.sort()).toEqual(['a2', 'elsewhere']);
  fireEvent.click(box('a10'), { shiftKey: true });
  expect(chosen.sort()).toEqual(['a10', 'a2', 'b', 'elsewhere']);
  expect((box('b') as HTMLInputElement).checked).toBe(true);
  expect((box('nobody') as HTMLInputElement).disabled).toBe(true);
  // Selects everything on the page and deselects it again; a selection on another page stays.
  const all = screen.getByRole('checkbox', { name: 'Select all' });
  fireEvent.click(all);
  expect(chosen.sort()).toEqual(['elsewhere']);
  fireEvent.click(all);
  expect(chosen.sort()).toEqual(['a10', 'a2', 'b', 'elsewhere']);
});

it('remembers which columns were chosen; the server and the first render know no choice', async () => {
  const openMenu = () =>
    fireEvent.keyDown(screen.getByRole('button', { name: 'Choose columns' }), { key: 'Enter', code: 'Enter' });
  render(<Page />);
  openMenu();
  const items = (await screen.findAllByRole('menuitemcheckbox')).map((item) => item.textContent);
  expect(items).toEqual(['Keys', 'Note']);
  fireEvent.click(screen.getByRole('menuitemcheckbox', { name: 'Keys' }));
  cleanup();
  expect(renderToString(<Page />)).toContain('data-column="keys"');

  render(<Page />);
  expect(screen.queryByRole('columnheader', { name: 'Keys' })).toBeNull();
  expect(screen.queryByText('9')).toBeNull();
  openMenu();
  const keys = await screen.findByRole('menuitemcheckbox', { name: 'Keys' });
  expect(keys.getAttribute('aria-checked')).toBe('false');
  fireEvent.click(screen.getByRole('menuitem', { name: 'Reset to default' }));
  expect(head('Keys')).toBeTruthy();
});

it('shows a chosen column also where it would not fit', () => {
  localStorage.setItem('colonnade.columns.shops', '{"note":true}');
  render(<Page />);
  expect(head('Note').className).not.toContain('hidden');
  cleanup();
  localStorage.setItem('colonnade.columns.shops', 'not json');
  render(<Page />);
  expect(head('Note').className).toContain('max-sm:hidden');
});

function Tree() {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [rows, setRows] = useState<ReadonlyMap<string, Shop[]>>(new Map());
  return (
    <>
      <button type="button" onClick={() => setRows(new Map([['b', [{ name: 'b:1', keys: 1 }]]]))}>
        Arrive
      </button>
      <Page
        columns={COLUMNS.map((column) => ({ ...column, expander: column.id === 'name' }))}
        expansion={{
          open,
          rows,
          canOpen: (shop) => shop.name === 'b',
          label: (shop) => `Open ${shop.name}`,
          onToggle: (id, on) => setOpen(new Set(on ? [...open, id] : [...open].filter((other) => other !== id))),
        }}
      />
    </>
  );
}

it('opens a row in place, with rows that arrive later, and closes it', () => {
  render(<Tree />);
  const opener = () => screen.getByRole('button', { name: 'Open b' });
  expect(screen.queryByRole('button', { name: 'Open a2' })).toBeNull();
  expect(opener().getAttribute('aria-expanded')).toBe('false');
  fireEvent.click(opener());
  expect(names()).toEqual(['b', 'nobody', 'a10', 'a2']);
  fireEvent.click(screen.getByRole('button', { name: 'Arrive' }));
  expect(names()).toEqual(['b', 'b:1', 'nobody', 'a10', 'a2']);
  expect(opener().getAttribute('aria-expanded')).toBe('true');
  fireEvent.click(opener());
  expect(names()).toEqual(['b', 'nobody', 'a10', 'a2']);
});

it('says that there is nothing', () => {
  render(<Page rows={[]} empty="No shops yet" />);
  expect(screen.getByRole('cell', { name: 'No shops yet' })).toBeTruthy();
});

it('draws the rows in sight of a long table that scrolls, and the one the keyboard is on', () => {
  // The test DOM has no layout, so sizes are set here.
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(37);
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(384);
  const many = Array.from({ length: 500 }, (_, i) => ({ name: `shop ${i}`, keys: i }));
  render(<Page rows={many} className="h-96 overflow-y-auto" kept={() => 'shop 400'} />);
  const table = screen.getByRole('table');
  expect(table.getAttribute('aria-rowcount')).toBe('501');
  const drawn = names();
  expect(drawn.length).toBeLessThan(60);
  expect(drawn[0]).toBe('shop 0');
  expect(drawn.at(-1)).toBe('shop 400');
  const rows = screen.getAllByRole('row');
  expect(rows.at(-1)?.getAttribute('aria-rowindex')).toBe('402');
  // Rows that are not rendered keep their space.
  const room = [...table.querySelectorAll<HTMLElement>('tr[aria-hidden]')].map((row) =>
    Number.parseFloat(row.style.height),
  );
  expect(room.reduce((sum, one) => sum + one, 0)).toBeCloseTo((500 - drawn.length) * 37);
});

it('draws the rows in sight of a long table in groups too, below the names of those that begin there', () => {
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(37);
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(384);
  // There are ten rows per group, and groups are sorted by number: team 2 before team 10.
  const many = Array.from({ length: 500 }, (_, i) => ({ name: `shop ${i}`, keys: i }));
  const toTeam = ({ keys }: Shop) => `team ${Math.floor((keys ?? 0) / 10)}`;
  const getGroup = (shop: Shop) => ({ id: toTeam(shop), label: `The ${toTeam(shop)}` });
  render(
    <Page rows={many.toReversed()} getGroup={getGroup} className="h-96 overflow-y-auto" kept={() => 'shop 405'} />,
  );
  const table = screen.getByRole('table');
  expect(table.getAttribute('aria-rowcount')).toBe('551');
  const lines = screen.getAllByRole('row').slice(1);
  expect(lines.length).toBeLessThan(60);
  const texts = lines.map((row) => row.firstElementChild?.textContent);
  expect(texts.slice(0, 3)).toEqual(['The team 0', 'shop 9', 'shop 8']);
  expect(texts.slice(11, 13)).toEqual(['The team 1', 'shop 19']);
  // The row with the keyboard focus is far below: 41 names of teams and 404 shops come before it, and those of its own
  // team begin at 409.
  expect([texts.at(-1), lines.at(-1)?.getAttribute('aria-rowindex')]).toEqual(['shop 405', '447']);
  const room = [...table.querySelectorAll<HTMLElement>('tr[aria-hidden]')].map((row) =>
    Number.parseFloat(row.style.height),
  );
  expect(room.reduce((sum, one) => sum + one, 0)).toBeCloseTo((550 - lines.length) * 37);
});

it('draws all rows of a short table, of one that does not scroll, and in the first HTML enough to fill it', () => {
  const some = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `shop ${i}`, keys: i }));
  render(<Page rows={some(60)} className="overflow-y-auto" />);
  expect(names()).toHaveLength(60);
  cleanup();
  render(<Page rows={some(500)} />);
  expect(names()).toHaveLength(500);
  expect(
    renderToString(<Page rows={some(500)} className="overflow-y-auto" />).match(/shop \d+/g)?.length,
  ).toBeGreaterThan(20);
});

const WITH_CONTROLS: DataColumn<Shop>[] = [
  {
    id: 'name',
    header: 'Name',
    cell: ({ name }) => (name === 'nobody' ? name : <a href={`/${name}`}>{name}</a>),
  },
  {
    id: 'chips',
    header: 'Chips',
    cell: ({ name }) =>
      ['x', 'y'].map((chip) => (
        <button key={chip} type="button" data-hint>
          {`${chip} of ${name}`}
        </button>
      )),
  },
];
/** The controls in the rows that Tab stops at. */
const stops = () =>
  [...document.querySelectorAll<HTMLElement>('tbody a, tbody button')]
    .filter((control) => control.tabIndex >= 0)
    .map((control) => control.textContent);
const focused = () => document.activeElement?.textContent;
const arrow = (key: string) => fireEvent.keyDown(document.activeElement!, { key });

it('is one stop of the Tab key, and arrow keys reach every row and every hint', () => {
  render(<Page columns={WITH_CONTROLS} />);
  expect(stops()).toEqual(['b']);
  screen.getByRole('link', { name: 'b' }).focus();
  arrow('ArrowRight');
  expect(focused()).toBe('x of b');
  // Tab does not stop at a hint, even while it has the focus.
  expect(stops()).toEqual(['b']);
  arrow('ArrowDown');
  // The row of nobody has no link: the focus goes to the control with the same number, and Tab stops at the row's first
  // control.
  expect(focused()).toBe('y of nobody');
  expect(stops()).toEqual(['x of nobody']);
  arrow('ArrowDown');
  arrow('ArrowLeft');
  expect(focused()).toBe('a10');
  arrow('ArrowUp');
  arrow('ArrowUp');
  arrow('ArrowUp');
  expect(focused()).toBe('b');
  expect(stops()).toEqual(['b']);
});

it('passes by rows without a control, also where the first has none', () => {
  const columns = WITH_CONTROLS.slice(0, 1);
  const rows = [{ name: 'nobody', keys: null }, ...SHOPS.filter(({ name }) => name !== 'b')];
  render(<Page columns={columns} rows={rows} rowId={(_, i) => String(i)} />);
  expect(stops()).toEqual(['a10']);
  screen.getByRole('link', { name: 'a10' }).focus();
  arrow('ArrowDown');
  expect(focused()).toBe('a2');
});

it('leaves the arrow keys to what is typed in', () => {
  const typed = { id: 'typed', header: 'Typed', cell: ({ name }: Shop) => <input aria-label={`note on ${name}`} /> };
  render(<Page columns={[...WITH_CONTROLS, typed]} />);
  const field = screen.getByRole('textbox', { name: 'note on b' });
  field.focus();
  for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowDown', 'ArrowUp']) {
    expect(arrow(key)).toBe(true);
    expect(document.activeElement).toBe(field);
  }
});

it('leaves rows that open to their own table', () => {
  render(<Tree />);
  expect(document.querySelectorAll('[data-row]')).toHaveLength(0);
});
