// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { FleetRow } from '@/lib/model/reports/fleet';
import { FLEET_VALUES } from '@/lib/model/reports/list-values';
import { inGroups, sortRows } from '@/lib/model/reports/table-order';
import { offeredFiles } from '@/test/offered-files';
import { showPage, stubApi } from '@/test/show-page';
import { FleetTable } from './fleet-table';

const ENVIRONMENTS = ['env10', '', 'env2'];
const fleetOf = (count: number) =>
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
  open(fleetOf(300), `?group=${group}`);
  expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe(String(lines + 1));
  expect(shown().length).toBeGreaterThan(10);
  expect(shown().length).toBeLessThan(60);
});

it('hands out the list in the order and the groups that it is shown in', async () => {
  const all = fleetOf(30);
  open(all, '?q=redis&sort=-keys&group=environment');
  const sorted = sortRows(all, FLEET_VALUES, { sort: '-keys', lang: 'en' });
  const inFile = inGroups(sorted, ({ instance }) => instance.environment, 'en');
  expect(shown()).toEqual(inFile.map(({ instance }) => instance.id));
  expect(await offeredFiles('Export this list')).toEqual([
    '/api/fleet?q=redis&group=environment&lang=en&sort=-keys&format=csv',
  ]);
});

it('asks for no order that no column has', async () => {
  open(fleetOf(3), '?sort=toString');
  expect(shown()).toEqual(['i0', 'i1', 'i2']);
  expect(await offeredFiles('Export this list')).toEqual(['/api/fleet?lang=en&format=csv']);
});

it('lists environments and tags in the order of the table, not in that of the browser', () => {
  open(fleetOf(6), '');
  const environments = screen.getByRole('combobox', { name: 'Environment' });
  // A letter chooses the next option that begins with it.
  fireEvent.keyDown(environments, { key: 'e' });
  expect(environments.textContent).toBe('env2');
  fireEvent.keyDown(environments, { key: 'e' });
  expect(environments.textContent).toBe('env10');
});

it('says of an instance whose scan failed since, read before or never', () => {
  const rows = fleetOf(3).map((row, i) => (i < 2 ? { ...row, failedAt: 1_000_000 } : row));
  open(rows, '');
  const signs = [...document.querySelectorAll('[data-row]')].map(
    (row) => within(row as HTMLElement).queryAllByText('scan failed').length,
  );
  // Once in its own column, and once below the name for widths at which the column is hidden.
  expect(signs).toEqual([2, 2, 0]);
  expect(screen.getAllByText('never scanned')).toHaveLength(2);
});
