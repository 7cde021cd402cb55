// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react';
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
const open = (report: object | undefined, snapshots: object = SNAPSHOTS, search = '') => {
  stubApi({
    '/api/instances/i1/snapshots': snapshots,
    '/api/snapshots/s1/reports/keys': report,
    [`/api/instances/i1/keys/${K}`]: { key: { exists: false, name: 'cart' } },
  });
  showPage(<KeyPage instanceId="i1" k={K} />, { path: `/instances/i1/keys/${K}`, search });
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

it('goes by the header of a value that was read, for as long as the string is as long', async () => {
  const key = { exists: true, k: K, name: 'cart', nameBytes: 4, db: 0, type: 'string', encoding: 'raw', bytes: 14_400 };
  const facts = { ...key, slot: 1, address: 'a:1', ttlMs: null, expiryKnown: true, idleSeconds: 1, freq: null };
  const none = { violated: [], unknown: [], suggested: null };
  const violated = { ...none, violated: [{ rule: 'V1', title: 'Too long', strength: 'mandatory', exempt: false }] };
  const preview = { kind: 'string', rows: [['{}']], bytes: [], truncated: true, shown: 1, total: 12_304 };
  let length = 12_304;
  const path = `/api/instances/i1/keys/${K}`;
  stubApi({
    '/api/instances/i1': { instance: { id: 'i1', production: false, valuesForbidden: false } },
    '/api/instances/i1/snapshots': { snapshots: [] },
    [path]: () => ({ key: { ...facts, length, previewTouches: false, preview: null, verdict: none } }),
    [`${path}/value`]: { key: { ...facts, length, previewTouches: false, preview, verdict: violated } },
  });
  showPage(<KeyPage instanceId="i1" k={K} />, { path: `/instances/i1/keys/${K}` });
  const load = await screen.findByRole<HTMLButtonElement>('button', { name: 'Load preview' });
  await vi.waitFor(() => expect(load.disabled).toBe(false));
  expect(screen.queryByText('Too long')).toBeNull();
  fireEvent.click(load);
  expect(await screen.findByText('Too long')).toBeTruthy();
  const refresh = screen.getByRole('button', { name: 'Refresh' });
  fireEvent.click(refresh);
  await screen.findByText('Too long');
  length = 5000;
  fireEvent.click(refresh);
  await vi.waitFor(() => expect(screen.queryByText('Too long')).toBeNull());
});

it('leads to the keys of its slot and node under the filter it was looked at with', async () => {
  const row = { k: K, name: 'cart', db: 3, slot: 77, node: 0, expireAt: null, expiryKnown: true, nameBytes: 4 };
  const search = '?db=3&snapshot=s1&template=c{int}&delimiter=/&type=hash,set&bytesMin=64&slotMin=5&slotMax=9&node=1';
  open({ asOf: 1, report: { rows: [row], total: 1 } }, SNAPSHOTS, search);
  const link = (await screen.findByRole('link', { name: '77' })).getAttribute('href') ?? '';
  expect(link.startsWith('/instances/i1/keys?')).toBe(true);
  const slice = { snapshot: 's1', template: 'c{int}', delimiter: '/', type: 'hash,set', bytesMin: '64' };
  expect(Object.fromEntries(new URLSearchParams(link.split('?')[1]))).toEqual({
    ...slice,
    ...{ slotMin: '77', slotMax: '77', node: '1' },
  });
});

it('says of a string how many bytes it holds, not how many elements', async () => {
  const row = { k: K, name: 'cart', db: 0, slot: 7, node: 0, expireAt: null, expiryKnown: true, nameBytes: 4 };
  open({ asOf: 1, report: { rows: [{ ...row, type: 'string', length: 41_600_000 }], total: 1 } });
  const fact = (await screen.findByText('Value length')).closest('tr');
  expect(fact?.textContent).toContain('41,600,000 B');
  expect(screen.queryByText('Elements')).toBeNull();
});

it('counts the elements of what has some', async () => {
  const row = { k: K, name: 'cart', db: 0, slot: 7, node: 0, expireAt: null, expiryKnown: true, nameBytes: 4 };
  open({ asOf: 1, report: { rows: [{ ...row, type: 'hash', length: 12_000 }], total: 1 } });
  const fact = (await screen.findByText('Elements')).closest('tr');
  expect(fact?.textContent).toContain('12,000');
  expect(fact?.textContent).not.toContain('B');
  expect(screen.queryByText('Value length')).toBeNull();
});

it.each([
  ['ReJSON-RL', 'Size, as its module reports it'],
  ['vectorset', 'Size'],
])('says whose figure the size of a %s is', async (type, label) => {
  const row = { k: K, name: 'cart', db: 0, slot: 7, node: 0, expireAt: null, expiryKnown: true, nameBytes: 4 };
  open({ asOf: 1, report: { rows: [{ ...row, type, bytes: 40 }], total: 1 } });
  const fact = (await screen.findByText(label)).closest('tr');
  expect(fact?.textContent).toContain('40 B');
});
