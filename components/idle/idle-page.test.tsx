// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { IdleReport } from '@/lib/model/reports/reports';
import { showPage, stubApi } from '@/test/show-page';
import { IdlePage } from './idle-page';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const bounds = [0, 1, 2, 5];
const report = (kind: IdleReport['kind']): IdleReport => ({
  kind,
  buckets: bounds.map((from, i) => ({ from, to: bounds[i + 1] ?? null, keys: 120, bytes: 960 })),
  unknown: { keys: 0, bytes: 0, bytesUnknown: 0 },
  byPrefix: [],
  idleDays: 30,
});

async function open(kind: IdleReport['kind']) {
  stubApi({
    '/api/instances/i1/snapshots': { snapshots: [{ id: 's1', instanceId: 'i1', state: 'sealed', startedAt: 1 }] },
    '/api/snapshots/s1/reports/idle': { asOf: 1, keysInSnapshot: 480, report: report(kind) },
  });
  showPage(<IdlePage instanceId="i1" />, { path: '/instances/i1/idle' });
  fireEvent.click(await screen.findByRole('button', { name: 'Show as table' }));
}

it('names a bucket of access counters by the last in it, and lists no other', async () => {
  await open('freq');
  const links = screen.getAllByRole('link', { name: /^\d+(–\d+)?$/ });
  expect(links.map((link) => [link.textContent, link.getAttribute('href')?.split('?')[1]])).toEqual([
    ['0', 'freqMin=0&freqMax=0'],
    ['1', 'freqMin=1&freqMax=1'],
    ['2–4', 'freqMin=2&freqMax=4'],
  ]);
});

it('says of no prefix how long its keys were idle where the server counts accesses', async () => {
  await open('freq');
  expect(screen.queryByText('Idle keys by prefix')).toBeNull();
  cleanup();
  await open('idle');
  expect(screen.getByText('Idle keys by prefix')).toBeTruthy();
});

it.each([
  ['of a snapshot without keys', '', 0, /This snapshot contains no keys/],
  ['of keys that no filter leaves', '?prefix=nothing%3A', 0, /Nothing in this snapshot matches the filter/],
  ['of keys whose idle times are not known', '', 7, /may not call OBJECT/],
])('gives the reason %s', async (_what, search, keys, reason) => {
  const none: IdleReport = { ...report('none'), buckets: [], unknown: { keys, bytes: 0, bytesUnknown: 0 } };
  stubApi({
    '/api/instances/i1/snapshots': { snapshots: [{ id: 's1', instanceId: 'i1', state: 'sealed', startedAt: 1 }] },
    '/api/snapshots/s1/reports/idle': { asOf: 1, keysInSnapshot: keys, report: none },
  });
  showPage(<IdlePage instanceId="i1" />, { path: '/instances/i1/idle', search });
  expect(await screen.findByText(reason)).toBeTruthy();
});
