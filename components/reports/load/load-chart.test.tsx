// @vitest-environment happy-dom
import { act, cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { Job } from '@/lib/model/job';
import { showPage, stubApi } from '@/test/show-page';
import { LoadChart } from './load-chart';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const jobAt = (second: number) =>
  ({
    ...{ id: 'j1', instanceName: 'mall', updatedAt: second * 1000 },
    ...{ cost: { commands: second * 100, serverMs: second * 10 }, progress: { nodes: [{ latencyMs: 1 }] } },
  }) as unknown as Job;

it('can be saved as a picture once it is drawn, also on a page that is of no instance', async () => {
  const asked = stubApi({});
  const { rerender } = showPage(<LoadChart job={jobAt(0)} />, { path: '/jobs/j1' });
  const save = () => screen.queryByRole('button', { name: 'Download “Load added by this job” as an image' });
  expect(save()).toBeNull();
  for (let second = 1; second < 6; second++) await act(async () => rerender(<LoadChart job={jobAt(second)} />));
  expect(save()).not.toBeNull();
  // The id in this address is that of the job, so no instance may be requested.
  expect(asked.map((url) => url.pathname).filter((path) => path.startsWith('/api/instances'))).toEqual([]);
});
