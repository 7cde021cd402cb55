// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { offeredFiles } from '@/test/offered-files';
import { showPage, stubApi } from '@/test/show-page';
import { JobsPage } from './jobs-page';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const JOB = {
  ...{ id: 'j1', kind: 'scan', instanceId: 'i1', instanceName: 'shop', state: 'succeeded', speed: 'gentle' },
  ...{ snapshotId: null, progress: null, reason: null, error: null, cost: null, actor: '@ada' },
  ...{ createdAt: 1, startedAt: 2, endedAt: 3, updatedAt: 3 },
};

it('hands out the list under its filter, in the order that it is shown in', async () => {
  stubApi({ '/api/jobs': { jobs: [JOB] } });
  showPage(<JobsPage />, { path: '/jobs', search: '?show=ended&sort=-started' });
  await screen.findByRole('link', { name: 'shop' });
  expect(await offeredFiles('Export this list')).toEqual(['/api/jobs?ended=1&sort=-started&lang=en&format=csv']);
});
