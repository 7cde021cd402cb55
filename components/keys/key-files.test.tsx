// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { encodeKey } from '@/lib/model/keys/key-id';
import { savedTable } from '@/test/saved-table';
import { showPage, stubApi } from '@/test/show-page';
import { KeyPage } from './key-page';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const K = encodeKey(Buffer.from('cart'));
const PATH = `/api/instances/i1/keys/${K}`;

it('saves the facts and the part of the value that was read as shown, without reading it again', async () => {
  const fact = { k: K, name: 'cart', nameBytes: 4, db: 2, slot: 1, type: 'list', expiryKnown: true };
  const live = { ...fact, exists: true, address: 'a:1', ttlMs: null, previewTouches: false, preview: null, length: 1 };
  const preview = {
    kind: 'items',
    rows: [['=x']],
    bytes: [[{ base64: 'PXg=', size: 2 }]],
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
      return { key: { ...live, preview } };
    },
  });
  showPage(<KeyPage instanceId="i1" k={K} />, { path: `/instances/i1/keys/${K}`, search: '?db=2' });
  const load = await screen.findByRole<HTMLButtonElement>('button', { name: 'Load preview' });
  const facts = await savedTable('Export this list: Facts');
  expect(facts.lines).toEqual(
    expect.arrayContaining(['Fact,In the snapshot,On the server now', 'Type,list,list', 'Slot,1,1']),
  );
  fireEvent.change(screen.getByRole('textbox'), { target: { value: ' ticket 12 ' } });
  await vi.waitFor(() => expect(load.disabled).toBe(false));
  fireEvent.click(load);
  await screen.findByText('=x');
  expect((await savedTable('Export this list: Preview')).lines).toEqual(['#,Item', "1,'=x"]);
  expect(asked).toEqual([{ db: 2, reason: 'ticket 12' }]);
});
