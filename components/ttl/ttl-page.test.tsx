// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { TtlReport } from '@/lib/model/reports/reports';
import { showPage, stubApi } from '@/test/show-page';
import { TtlPage } from './ttl-page';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const some = (keys: number) => ({ keys, bytes: keys, bytesUnknown: 0 });
const report: TtlReport = {
  ...{ none: some(1000), any: some(200), unknown: some(34), expired: some(5), later: some(0) },
  ...{ buckets: [], timeline: [], storms: [], noExpiryByPrefix: [], shortest: { keys: 0, underSeconds: 60 } },
};

function open(search: string) {
  stubApi({
    '/api/instances/i1/snapshots': { snapshots: [{ id: 's1', instanceId: 'i1', state: 'sealed', startedAt: 1 }] },
    '/api/snapshots/s1/reports/ttl': { asOf: 1, report },
  });
  showPage(<TtlPage instanceId="i1" />, { path: '/instances/i1/ttl', search });
}

it('says of how many keys the expiry is set: of those under the filter', async () => {
  open('?prefix=mall%3A');
  const button = await screen.findByRole('button', { name: 'Set expiry of 1,234 keys…' });
  expect((button as HTMLButtonElement).disabled).toBe(false);
  expect(screen.queryByRole('button', { name: 'More plans' })).toBeNull();
});

it('offers no expiry of the whole database but by its own way', async () => {
  open('');
  const button = await screen.findByRole('button', { name: 'Set expiry…' });
  expect((button as HTMLButtonElement).disabled).toBe(true);
  fireEvent.keyDown(screen.getByRole('button', { name: 'More plans' }), { key: 'Enter' });
  expect(await screen.findByRole('menuitem', { name: 'Set expiry of every key…' })).toBeTruthy();
  // The page is about expiries.
  expect(screen.getAllByRole('menuitem').length).toBe(1);
  expect(screen.queryByRole('button', { name: /deletion/ })).toBeNull();
});
