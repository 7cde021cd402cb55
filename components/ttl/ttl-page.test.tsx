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

it('plans nothing of an empty list', async () => {
  const none = { ...report, none: some(0), any: some(0), unknown: some(0), expired: some(0) };
  stubApi({
    '/api/instances/i1/snapshots': { snapshots: [{ id: 's1', instanceId: 'i1', state: 'sealed', startedAt: 1 }] },
    '/api/snapshots/s1/reports/ttl': { asOf: 1, report: none },
  });
  showPage(<TtlPage instanceId="i1" />, { path: '/instances/i1/ttl', search: '?prefix=nothing%3A' });
  const button = await screen.findByRole('button', { name: 'Set expiry…' });
  expect((button as HTMLButtonElement).disabled).toBe(true);
});

it('offers no expiry of the whole database but by its own way', async () => {
  open('');
  const button = await screen.findByRole('button', { name: 'Set expiry…' });
  expect((button as HTMLButtonElement).disabled).toBe(true);
  fireEvent.keyDown(screen.getByRole('button', { name: 'More plans' }), { key: 'Enter' });
  expect(await screen.findByRole('menuitem', { name: 'Set expiry of every key…' })).toBeTruthy();
  // The page is about expiries, so it offers no deletion.
  expect(screen.getAllByRole('menuitem').length).toBe(1);
  expect(screen.queryByRole('button', { name: /deletion/ })).toBeNull();
});

it('says of a storm among names without a delimiter that they have no prefix, and leads to those with one', async () => {
  const storm = { minute: 60_000, keys: 900, bytes: 9000, bytesUnknown: 0, expected: 1, times: 900 };
  const storms = [
    { ...storm, prefix: '' },
    { ...storm, prefix: 'promo:' },
  ];
  stubApi({
    '/api/instances/i1/snapshots': { snapshots: [{ id: 's1', instanceId: 'i1', state: 'sealed', startedAt: 1 }] },
    '/api/snapshots/s1/reports/ttl': { asOf: 1, report: { ...report, storms } },
  });
  showPage(<TtlPage instanceId="i1" />, { path: '/instances/i1/ttl' });
  expect(await screen.findByText('no prefix')).toBeTruthy();
  expect(screen.queryByText('(empty name)')).toBeNull();
  const link = await screen.findByRole('link', { name: 'promo:' });
  expect(link.getAttribute('href')).toContain('prefix=promo%3A');
});
