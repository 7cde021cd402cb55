// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { rememberSlice } from '@/components/layout/navigation/last-slice';
import { savedTable } from '@/test/saved-table';
import { showPage, stubApi } from '@/test/show-page';
import { JobPage } from './job-page';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const node = (address: string, latencyMs: number) => ({
  ...{ address, db: 0, done: 1, total: 1, state: 'done', restarts: 0, latencyMs },
});
const PROGRESS = {
  ...{ phase: 'done', done: 2, total: 2, unit: 'keys', ratePerSecond: null, etaSeconds: null },
  nodes: [node('n1', 1), node('n2', 2)],
};
const JOB = {
  ...{ id: 'j1', kind: 'scan', instanceId: 'i1', instanceName: 'shop', state: 'succeeded', speed: 'gentle' },
  ...{ snapshotId: null, progress: PROGRESS, reason: null, error: null, cost: null, actor: '@ada' },
  ...{ createdAt: 1, startedAt: 2, endedAt: 3, updatedAt: 3 },
};

it('hands out its nodes in the order that they are shown in', async () => {
  stubApi({ '/api/jobs/j1': { job: JOB } });
  showPage(<JobPage id="j1" />, { path: '/jobs/j1' });
  const head = await screen.findByRole('columnheader', { name: 'Latency' });
  fireEvent.click(within(head).getByRole('button'));
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')].map((row) => row.dataset.row);
  expect(rows).toEqual(['n2/0', 'n1/0']);
  const { lines } = await savedTable('Export this list: Nodes');
  expect(lines.slice(1)).toEqual([expect.stringMatching(/^n2,.*,2$/), expect.stringMatching(/^n1,.*,1$/)]);
});

it('says that a scan began anew, where the parts of an earlier run are on another disk', async () => {
  stubApi({ '/api/jobs/j1': { job: { ...JOB, state: 'running', progress: { ...PROGRESS, begunAnew: true } } } });
  showPage(<JobPage id="j1" />, { path: '/jobs/j1' });
  expect(await screen.findByText(/are not on the disk of this worker, so the scan began anew/)).toBeTruthy();
});

it('leads back to the instance as it was left', async () => {
  rememberSlice('i1', '?prefix=shop%3A&snapshot=s1');
  stubApi({ '/api/jobs/j1': { job: { ...JOB, kind: 'deletion' } } });
  showPage(<JobPage id="j1" />, { path: '/jobs/j1' });
  const readHref = async (name: string) => (await screen.findByRole('link', { name })).getAttribute('href');
  expect(await readHref('Open instance')).toBe('/instances/i1?prefix=shop%3A&snapshot=s1');
  expect(await readHref('Open deletions')).toBe('/instances/i1/deletions?prefix=shop%3A&snapshot=s1');
  // A deletion has no progress by nodes.
  expect(screen.queryByRole('button', { name: /^Export/ })).toBeNull();
});
