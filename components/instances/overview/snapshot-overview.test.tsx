// @vitest-environment happy-dom
import { cleanup, screen, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { OverviewReport } from '@/lib/model/reports/reports';
import { showPage, stubApi } from '@/test/show-page';
import { SnapshotOverview } from './snapshot-overview';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const REPORT: OverviewReport = {
  ...{ keys: 40, bytes: 4000, bytesUnknown: 0, bigkeys: 4, bigkeyBytes: 400, bigkeysUnknown: 0 },
  types: [],
  expiry: { none: 10, any: 30, unknown: 0, expired: 0 },
  ...{ databases: [], nodes: [], topPrefixes: [], prefixCount: 0 },
};
const FINDINGS = { score: { score: 80, reason: null, fixes: [] }, mandatory: { keys: 0 } };

async function show(search: string) {
  const asked = stubApi({
    '/api/instances/i1/snapshots': {
      snapshots: [
        { id: 's1', instanceId: 'i1', state: 'sealed', startedAt: 2, keys: 90 },
        { id: 's0', instanceId: 'i1', state: 'sealed', startedAt: 1, keys: 7 },
      ],
    },
    '/api/snapshots/s1/deltas': { since: 1, total: { keys: 5, bytes: -400, score: 1.5 }, rules: {}, teams: {} },
    '/api/snapshots/s1/reports/overview': { report: REPORT },
    '/api/snapshots/s1/reports/tree': { report: { children: [] } },
    '/api/snapshots/s1/reports/findings': { report: FINDINGS },
  });
  showPage(<SnapshotOverview instanceId="i1" snapshotId="s1" />, { search });
  await screen.findByText('25.0% of', { exact: false });
  const score = (await screen.findByText(/^80(\.0)?$/)).closest('section')!;
  const of = (name: string) => {
    const url = asked.find(({ pathname }) => pathname.endsWith(`/reports/${name}`));
    return Object.fromEntries(url?.searchParams ?? []);
  };
  return { of, score: within(score) };
}

it('counts the keys under the filter, and says of the score what of it does not narrow it', async () => {
  const { of, score } = await show('?prefix=shop:&type=hash&bytesMin=64&delimiter=%2F');
  const slice = { prefix: 'shop:', type: 'hash', bytesMin: '64' };
  expect(of('overview')).toEqual(slice);
  expect(of('tree')).toEqual({ ...slice, sort: '-bytes', limit: '12' });
  expect(of('findings')).toEqual({ prefix: 'shop:' });
  expect(score.getByText('Not applied here: Type and Size')).toBeTruthy();
  expect(screen.getByText('25.0% of these keys', { exact: false })).toBeTruthy();
  expect(await screen.findByText(/Nothing in this snapshot matches the filter/)).toBeTruthy();
  // Changes are of all keys, so they are not shown.
  expect(screen.queryByText(/since/)).toBeNull();
});

it('counts all keys without a filter, and how that changed', async () => {
  const { of, score } = await show('');
  expect([of('overview'), of('findings')]).toEqual([{}, {}]);
  expect(score.queryByText(/Not applied here/)).toBeNull();
  expect(screen.getByText('25.0% of all keys', { exact: false })).toBeTruthy();
  expect((await screen.findByText(/^5/, { selector: '[title]' })).textContent).toMatch(/^▲\s5 more since /);
  expect(screen.getByText(/^400 B/, { selector: '[title]' }).textContent).toMatch(/^▼\s400 B fewer since /);
  expect((await score.findByText(/^1\.5/, { selector: '[title]' })).textContent).toMatch(/^▲\s1\.5 more since /);
  // Bigkeys cannot be compared with the scan before.
  expect(screen.getAllByTitle(/^since/)).toHaveLength(3);
});

it('draws each key once: expired keys are among those with an expiry', async () => {
  const report = { ...REPORT, expiry: { none: 10, any: 30, unknown: 0, expired: 6 } };
  stubApi({
    '/api/instances/i1/snapshots': {
      snapshots: [{ id: 's1', instanceId: 'i1', state: 'sealed', startedAt: 2, keys: 40 }],
    },
    '/api/snapshots/s1/reports/overview': { report },
    '/api/snapshots/s1/reports/tree': { report: { children: [] } },
    '/api/snapshots/s1/reports/findings': { report: FINDINGS },
  });
  showPage(<SnapshotOverview instanceId="i1" snapshotId="s1" />);
  const bar = await screen.findByRole('img', { name: /With expiry 30, of these, expired and still present 6/ });
  expect([...bar.children].map((part) => (part as HTMLElement).style.width)).toEqual(['60%', '15%', '25%']);
});

it.each([
  ['running', 'scanning', 'The scan is still running'],
  ['paused', 'scanning', 'The scan is paused'],
  ['running', 'sealing', 'All keys are read and the snapshot is being written'],
  ['succeeded', 'done', 'The scan has ended and the snapshot is being prepared'],
])(
  'while it is %s (%s), all cards are of one moment, and nothing is judged or called empty',
  async (state, phase, says) => {
    const report = { ...REPORT, keys: 0, expiry: { none: 0, any: 0, unknown: 0, expired: 0 } };
    const asked = stubApi({
      '/api/instances/i1/snapshots': {
        snapshots: [{ id: 's1', instanceId: 'i1', jobId: 'j1', state: 'live', startedAt: 2, keys: 0 }],
      },
      '/api/jobs/j1': { job: { id: 'j1', kind: 'scan', state, progress: { phase } } },
      '/api/snapshots/s1/reports/overview': { report, live: true },
    });
    showPage(<SnapshotOverview instanceId="i1" snapshotId="s1" />);
    expect(await screen.findByText(`${says}: these numbers cover the 0 keys written to disk so far`, { exact: false }));
    expect(await screen.findByText(/^No keys have been written to disk yet/)).toBeTruthy();
    expect(screen.getByText('Not checked yet.')).toBeTruthy();
    expect(screen.queryByText('Bigkeys')).toBeNull();
    const reports = asked.map(({ pathname }) => pathname).filter((pathname) => pathname.includes('/reports/'));
    expect(new Set(reports)).toEqual(new Set(['/api/snapshots/s1/reports/overview']));
  },
);
