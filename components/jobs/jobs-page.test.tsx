// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { savedTable } from '@/test/saved-table';
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
  const { name, lines } = await savedTable('Export this list: Jobs');
  expect(name).toMatch(/^colonnade-jobs-\d{4}-\d\d-\d\d-1-rows\.csv$/);
  expect(lines[1]).toContain('shop');
});
