// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { BigkeysPage } from '@/components/bigkeys/bigkeys-page';
import { buildKey } from '@/components/data/build-key';
import { TreePage } from '@/components/tree/tree-page';
import { showPage, stubApi } from '@/test/show-page';
import { KeysPage } from './keys-page';

// It needs a canvas, which happy-dom does not have.
vi.mock('@/components/tree/tree-map-card', () => ({ TreeMapCard: () => null }));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const snapshot = (id: string, startedAt: number) => ({ id, instanceId: 'i1', state: 'sealed', startedAt });
const list = {
  ...{ rows: [], total: 1000, totalBytes: 0, nextCursor: 'c2', byType: [], unknown: 0, recognised: 0 },
  thresholds: { stringBytes: 1, elements: 1, collectionBytes: 1 },
};
const level = {
  ...{ path: '', depth: 0, delimiter: ':', sort: '-bytes', keys: 1000, bytes: 0, bytesUnknown: 1000, children: [] },
  ...{ rest: null, childCount: 1000, offset: 0, nextCursor: 'c2' },
};

function open(name: string, Page: typeof KeysPage) {
  const snapshots = [snapshot('s1', 1)];
  const answer = { asOf: 1, keysInSnapshot: 1000, report: name === 'tree' ? level : list };
  const asked = stubApi({
    '/api/instances/i1/snapshots': () => ({ snapshots }),
    [`/api/snapshots/s1/reports/${name}`]: answer,
    [`/api/snapshots/s2/reports/${name}`]: answer,
  });
  const cursors = (id: string) =>
    asked
      .filter((url) => url.pathname === `/api/snapshots/${id}/reports/${name}`)
      .map((url) => url.searchParams.get('cursor'));
  return { snapshots, cursors, ...showPage(<Page instanceId="i1" />, { path: `/instances/i1/${name}` }) };
}

it.each([
  ['keys', KeysPage],
  ['bigkeys', BigkeysPage],
  ['tree', TreePage],
] as const)('the list of %s begins anew with another snapshot', async (name, Page) => {
  const { snapshots, cursors, client } = open(name, Page);
  fireEvent.click(await screen.findByRole('button', { name: 'Next' }));
  await waitFor(() => expect(cursors('s1')).toEqual([null, 'c2']));
  snapshots.unshift(snapshot('s2', 2));
  await act(() => client.invalidateQueries({ queryKey: buildKey('GET /api/instances/{id}/snapshots', { id: 'i1' }) }));
  await waitFor(() => expect(cursors('s2').at(-1)).toBeNull());
  expect(cursors('s2').length).toBeGreaterThan(0);
});

it.each([
  ['keys', KeysPage],
  ['bigkeys', BigkeysPage],
] as const)('the list of %s says of memory that was not read that it is unknown', async (name, Page) => {
  open(name, Page);
  expect((await screen.findByText(/in total/)).textContent).toBe('— in total');
});
