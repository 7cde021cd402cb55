// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { FleetRow } from '@/lib/model/reports/fleet';
import { savedTable } from '@/test/saved-table';
import { showPage, stubApi } from '@/test/show-page';
import { FleetTable } from './fleet-table';

const ENVIRONMENTS = ['env10', '', 'env2'];
const makeFleet = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    instance: {
      ...{ id: `i${i}`, name: `redis-${i}`, topology: 'standalone', owner: '', tags: [], production: false },
      environment: ENVIRONMENTS[i % 3],
    },
    // Some values are equal and some are unknown.
    latest: i % 4 === 0 ? null : { keys: (i * 7) % 5, bytes: null, bigkeys: 0, noExpiryKeys: null, startedAt: i },
    activeJob: null,
    failedAt: null,
    keysHistory: [],
    replicaOf: null,
  })) as unknown as FleetRow[];

beforeEach(() => {
  // The test DOM has no layout, so sizes are set here.
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(37);
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(384);
  stubApi({});
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const open = (all: FleetRow[], search: string) => showPage(<FleetTable all={all} />, { path: '/', search });
const shown = () => [...document.querySelectorAll<HTMLElement>('[data-row]')].map((row) => row.dataset.row);

it.each([
  ['none', 300],
  ['environment', 303],
  ['owner', 301],
] as const)('draws the rows in sight of a long fleet, grouped by %s', (group, lines) => {
  open(makeFleet(300), `?group=${group}`);
  expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe(String(lines + 1));
  expect(shown().length).toBeGreaterThan(10);
  expect(shown().length).toBeLessThan(60);
});

it('marks a sealed scan that may miss keys, and no other', () => {
  const fleet = makeFleet(4);
  const mark = (i: number, more: object) => Object.assign(fleet[i]!.latest!, more);
  mark(1, { partial: true, state: 'sealed', endedAt: 1 });
  mark(2, { partial: false, state: 'sealed', endedAt: 1 });
  mark(3, { partial: true, state: 'live', endedAt: null });
  open(fleet, '');
  const marked = [...document.querySelectorAll('[data-row]')].filter((row) => row.textContent?.includes('incomplete'));
  expect(marked.map((row) => row.textContent)).toEqual([expect.stringContaining('redis-1')]);
});

it('hands out all rows in the order and the groups that they are shown in, with exact figures', async () => {
  open(makeFleet(120), '?q=redis&sort=-keys&group=environment');
  const { name, lines } = await savedTable('Export this list: Instances');
  expect(name).toMatch(/^colonnade-fleet-.{10}-120-rows\.csv$/);
  expect(lines[0]).toMatch(/^Instance,Topology,Environment,Owner,Tags,Keys,Memory,Score,/);
  const [env2, env10, none] = [lines.slice(1, 41), lines.slice(41, 81), lines.slice(81)];
  // Unknown figures are empty and come last.
  const toKeys = (line: string) => line.split(',')[5];
  for (const group of [env2, env10, none]) {
    expect(toKeys(group[0]!)).toBe('4');
    expect(toKeys(group.at(-1)!)).toBe('');
  }
  expect(shown().length).toBeLessThan(60);
});

it('lists environments and tags in the order of the table, not in that of the browser', () => {
  open(makeFleet(6), '');
  const environments = screen.getByRole('combobox', { name: 'Environment' });
  // A letter chooses the next option that begins with it.
  fireEvent.keyDown(environments, { key: 'e' });
  expect(environments.textContent).toBe('env2');
  fireEvent.keyDown(environments, { key: 'e' });
  expect(environments.textContent).toBe('env10');
});

it('says of an instance whose scan failed since, read before or never', () => {
  const rows = makeFleet(3).map((row, i) => (i < 2 ? { ...row, failedAt: 1_000_000 } : row));
  open(rows, '');
  const signs = [...document.querySelectorAll('[data-row]')].map(
    (row) => within(row as HTMLElement).queryAllByText('scan failed').length,
  );
  // Once in its own column, and once below the name for widths at which the column is hidden.
  expect(signs).toEqual([2, 2, 0]);
  expect(screen.getAllByText('never scanned')).toHaveLength(2);
});
