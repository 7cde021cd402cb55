// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query';
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { buildKey } from '@/components/data/build-key';
import type { WatchedDeletion } from '@/components/data/queries/use-deletions';
import type { Job } from '@/lib/model/job';
import { showPage, stubApi } from '@/test/show-page';
import { LiveCard } from './live-card';

vi.mock('./rate-chart', () => ({ RateChart: () => null }));
vi.mock('@/components/scans/job-progress', () => ({ JobProgress: ({ job }: { job: Job }) => <p>{job.state}</p> }));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const job = (state: Job['state'], updatedAt: number) => ({ id: 'j1', state, updatedAt, progress: null }) as Job;

it.each([
  ['running', 5, 'paused', 6, 'paused'],
  ['running', 7, 'paused', 6, 'running'],
] as const)('heard %s at %i, polled %s at %i: shows %s', async (heard, heardAt, polled, polledAt, shown) => {
  stubApi({});
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  client.setQueryData(buildKey('GET /api/jobs/{id}', { id: 'j1' }), { job: job(heard, heardAt) });
  const deletion = { job: job(polled, polledAt), plan: { id: 'd1', instanceId: 'i1' }, points: [], action: 'run' };
  showPage(<LiveCard deletion={deletion as unknown as WatchedDeletion} onUndo={null} />, { client });
  expect(screen.getByText(shown)).toBeTruthy();
});

it.each([
  ['restore', 'Restore failed: An unexpected error occurred'],
  ['delete', 'Deletion failed: An unexpected error occurred'],
  ['expire', 'Setting expiries failed: An unexpected error occurred'],
] as const)('of a job that was to %s and failed says so by its name', (purpose, title) => {
  stubApi({});
  const failed = { ...job('failed', 1), kind: 'deletion', purpose, error: { code: 'internal', message: '' } };
  const deletion = { job: failed, plan: { id: 'd1', instanceId: 'i1', task: 'delete' }, points: [], action: 'undo' };
  showPage(<LiveCard deletion={deletion as unknown as WatchedDeletion} onUndo={null} />);
  expect(screen.getByText(title)).toBeTruthy();
  expect(screen.queryByText(/scan/i)).toBeNull();
});

it('stops when the button is pressed, and asks what next once it has stopped', async () => {
  const asked = stubApi({
    '/api/deletions/d1/panic': { panic: {} },
    '/api/panic': { panic: { everywhere: false, since: null, by: null, instances: [], flagFile: 'PANIC' } },
    '/api/jobs/j1/resume': { job: job('queued', 3) },
  });
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  const deletion = {
    job: { ...job('running', 1), kind: 'deletion', purpose: 'delete', instanceId: 'i1' },
    plan: { id: 'd1', instanceId: 'i1', task: 'delete' },
    points: [],
    action: 'run',
  };
  const onUndo = vi.fn();
  showPage(<LiveCard deletion={deletion as unknown as WatchedDeletion} onUndo={onUndo} />, { client });
  const ways = within(await screen.findByRole('region', { name: 'Ways to stop' }));
  await ways.findByRole('button', { name: 'Stop all writes' });
  expect(ways.getAllByRole('button').map((button) => button.textContent)).toEqual([
    'Pause',
    'Stop now',
    'Cancel deletion',
    'Stop all writes',
    'Stop writes to this instance',
  ]);
  fireEvent.click(ways.getByRole('button', { name: 'Stop now' }));
  await vi.waitFor(() => expect(asked.map(({ pathname }) => pathname)).toContain('/api/deletions/d1/panic'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Stopping…' }));
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Resume' }).disabled).toBe(true);
  client.setQueryData(buildKey('GET /api/jobs/{id}', { id: 'j1' }), {
    job: { ...deletion.job, state: 'paused', updatedAt: 2 },
  });
  await screen.findByRole('dialog', { name: 'Stopped. What next?' });
  fireEvent.click(dialog.getByRole('button', { name: 'Undo all' }));
  expect(onUndo).toHaveBeenCalledOnce();
  expect(screen.queryByRole('dialog')).toBeNull();
});
