// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { buildKey } from '@/components/data/build-key';
import { savedTable } from '@/test/saved-table';
import { refused, showPage, stubApi } from '@/test/show-page';
import { OverviewPage } from './overview-page';

vi.mock('./snapshot-overview', () => ({ SnapshotOverview: () => <p>the figures</p> }));
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const SNAPSHOTS = { snapshots: [{ id: 's1', instanceId: 'i1', state: 'sealed', startedAt: 1 }] };
function api() {
  const state = { fails: false };
  const asked = stubApi({
    '/api/instances/i1/snapshots': () => (state.fails ? refused('internal') : SNAPSHOTS),
    '/api/jobs': { jobs: [] },
  });
  return { state, times: () => asked.filter((url) => url.pathname.endsWith('/snapshots')).length };
}

it('keeps the figures when the list of snapshots cannot be read once more, and goes on asking for it', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { state, times } = api();
  const { client } = showPage(<OverviewPage instanceId="i1" />);
  await screen.findByText('the figures');
  state.fails = true;
  await act(() => client.invalidateQueries({ queryKey: buildKey('GET /api/instances/{id}/snapshots', { id: 'i1' }) }));
  await waitFor(() =>
    expect(client.getQueryState(buildKey('GET /api/instances/{id}/snapshots', { id: 'i1' }))?.status).toBe('error'),
  );
  expect(screen.getByText('the figures')).toBeTruthy();
  const before = times();
  await act(() => vi.advanceTimersByTimeAsync(21_000));
  expect(times()).toBeGreaterThan(before);
});

it('offers to read the list again where there is nothing to show', async () => {
  const { state } = api();
  state.fails = true;
  showPage(<OverviewPage instanceId="i1" />);
  const retry = await screen.findByRole('button', { name: 'Try again' });
  state.fails = false;
  fireEvent.click(retry);
  await screen.findByText('the figures');
});

it('hands out its tables of the snapshot that is looked at', async () => {
  await import('@/components/ui/overlays/parts/menu-parts');
  api();
  showPage(<OverviewPage instanceId="i1" />);
  const menu = await screen.findByRole('button', { name: 'Export this report' });
  fireEvent.keyDown(menu, { key: 'Enter', code: 'Enter' });
  const files = (await screen.findAllByRole('menuitem', { name: / (CSV|JSON Lines|Parquet)$/ })).map((item) => [
    item.getAttribute('aria-label'),
    item.getAttribute('href'),
  ]);
  const of = (table: string, format: string) => `/api/snapshots/s1/reports/overview?table=${table}&format=${format}`;
  expect(files).toEqual([
    ['Types CSV', of('types', 'csv')],
    ['Types JSON Lines', of('types', 'jsonl')],
    ['Types Parquet', of('types', 'parquet')],
    ['Top prefixes CSV', of('prefixes', 'csv')],
    ['Top prefixes JSON Lines', of('prefixes', 'jsonl')],
    ['Top prefixes Parquet', of('prefixes', 'parquet')],
    ['Nodes CSV', of('nodes', 'csv')],
    ['Nodes JSON Lines', of('nodes', 'jsonl')],
    ['Nodes Parquet', of('nodes', 'parquet')],
    ['Databases CSV', of('databases', 'csv')],
    ['Databases JSON Lines', of('databases', 'jsonl')],
    ['Databases Parquet', of('databases', 'parquet')],
  ]);
});

it('shows the filter as its own, hands out what is under it, and says what is about all keys', async () => {
  await import('@/components/ui/overlays/parts/menu-parts');
  api();
  showPage(<OverviewPage instanceId="i1" />, { search: '?prefix=shop:&type=hash&delimiter=%2F' });
  const chips = within(await screen.findByRole('list', { name: 'Active filters' }));
  expect(chips.getAllByRole('button').map((button) => button.getAttribute('aria-label') ?? button.textContent)).toEqual(
    ['Remove filter Prefix', 'Remove filter Type', 'Clear all'],
  );
  expect(await screen.findByText('Not applied here: Prefix and Type')).toBeTruthy();
  fireEvent.keyDown(await screen.findByRole('button', { name: 'Export this report' }), { key: 'Enter', code: 'Enter' });
  const [first] = await screen.findAllByRole('menuitem');
  const { searchParams } = new URL(first?.getAttribute('href') ?? '', 'http://h');
  expect(Object.fromEntries(searchParams)).toEqual({ prefix: 'shop:', type: 'hash', table: 'types', format: 'csv' });
});

it('hands out the list of snapshots in the order that it is shown in', async () => {
  api();
  showPage(<OverviewPage instanceId="i1" />);
  const head = await screen.findByRole('columnheader', { name: 'Keys' });
  fireEvent.click(within(head).getByRole('button'));
  expect((await savedTable('Export this list: Snapshots')).lines.length).toBeGreaterThan(1);
});
