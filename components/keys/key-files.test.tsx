// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { encodeKey } from '@/lib/model/keys/key-id';
import { offeredFiles } from '@/test/offered-files';
import { showPage, stubApi } from '@/test/show-page';
import { KeyPage } from './key-page';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const K = encodeKey(Buffer.from('cart'));
const PATH = `/api/instances/i1/keys/${K}`;

it('offers what the snapshot knew, what the server says and the part of the value that was read as files', async () => {
  const fact = { k: K, name: 'cart', nameBytes: 4, db: 2, slot: 1, type: 'list', expiryKnown: true };
  const live = { ...fact, exists: true, address: 'a:1', ttlMs: null, previewTouches: false, preview: null, length: 1 };
  const preview = {
    kind: 'items',
    rows: [['x']],
    bytes: [[{ base64: 'eA==', size: 1 }]],
    truncated: false,
    shown: 1,
    total: 1,
  };
  const asked: unknown[] = [];
  stubApi({
    '/api/instances/i1': { instance: { id: 'i1', production: true, valuesForbidden: false } },
    '/api/instances/i1/snapshots': { snapshots: [{ id: 's1', instanceId: 'i1', state: 'sealed', startedAt: 1 }] },
    '/api/snapshots/s1/reports/keys': { asOf: 1, report: { rows: [{ ...fact, node: 0, expireAt: null }], total: 1 } },
    [PATH]: { key: live },
    [`${PATH}/value`]: (_url: URL, init?: RequestInit) => {
      asked.push(JSON.parse(String(init?.body)));
      if (asked.length === 1) return { key: { ...live, preview } };
      return new Response('file', { headers: { 'content-disposition': 'attachment' } });
    },
  });
  showPage(<KeyPage instanceId="i1" k={K} />, { path: `/instances/i1/keys/${K}`, search: '?db=2' });
  const load = await screen.findByRole<HTMLButtonElement>('button', { name: 'Load preview' });
  expect(await offeredFiles(/: Facts$/)).toEqual([
    '/api/snapshots/s1/keys?prefix=cart&exact=true&db=2&format=csv',
    `${PATH}?db=2&format=csv`,
  ]);
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' });
  fireEvent.change(screen.getByRole('textbox'), { target: { value: ' ticket 12 ' } });
  await vi.waitFor(() => expect(load.disabled).toBe(false));
  fireEvent.click(load);
  await screen.findByText('x');
  // A plain link must not read a value: the file is requested with the given reason and saved.
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:made', revokeObjectURL: () => {} }));
  expect(await offeredFiles(/: Preview$/)).toEqual([]);
  fireEvent.click(screen.getByRole('menuitem', { name: 'Parquet' }));
  await vi.waitFor(() => expect(asked.at(-1)).toEqual({ db: 2, reason: 'ticket 12', format: 'parquet' }));
});
