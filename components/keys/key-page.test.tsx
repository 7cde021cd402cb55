// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { encodeKey } from '@/lib/model/keys/key-id';
import { refused, showPage, stubApi } from '@/test/show-page';
import { KeyPage } from './key-page';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const K = encodeKey(Buffer.from('cart'));
const NEVER = 'This key does not exist';
const SNAPSHOTS = { snapshots: [{ id: 's1', instanceId: 'i1', state: 'sealed', startedAt: 1 }] };
const open = (report: object | undefined, snapshots: object = SNAPSHOTS) => {
  stubApi({
    '/api/instances/i1/snapshots': snapshots,
    '/api/snapshots/s1/reports/keys': report,
    [`/api/instances/i1/keys/${K}`]: { key: { exists: false, name: 'cart' } },
  });
  showPage(<KeyPage instanceId="i1" k={K} />, { path: `/instances/i1/keys/${K}` });
};

it('says that neither has the key where both were asked', async () => {
  open({ asOf: 1, report: { rows: [], total: 0 } });
  await screen.findByText(NEVER);
});

it.each([
  ['the report', () => open(() => refused('internal'))],
  ['the list of snapshots', () => open(undefined, () => refused('internal'))],
])('says nothing of the snapshot where %s could not be read', async (_what, start) => {
  start();
  expect(await screen.findByRole('alert')).toBeTruthy();
  expect(screen.getAllByRole('button', { name: 'Refresh' }).length).toBe(2);
  expect([screen.queryByText(NEVER), screen.queryByText('Not in this snapshot')]).toEqual([null, null]);
});
