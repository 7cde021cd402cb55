// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { rememberSlice } from '@/components/layout/navigation/last-slice';
import { showPage, stubApi } from '@/test/show-page';
import { JobPage } from './job-page';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const JOB = {
  ...{ id: 'j1', kind: 'scan', instanceId: 'i1', instanceName: 'shop', state: 'succeeded', speed: 'gentle' },
  ...{ snapshotId: null, progress: null, reason: null, error: null, cost: null, actor: '@ada' },
  ...{ createdAt: 1, startedAt: 2, endedAt: 3, updatedAt: 3 },
};

it('leads back to the instance as it was left', async () => {
  rememberSlice('i1', '?prefix=shop%3A&snapshot=s1');
  stubApi({ '/api/jobs/j1': { job: { ...JOB, kind: 'deletion' } } });
  showPage(<JobPage id="j1" />, { path: '/jobs/j1' });
  const hrefOf = async (name: string) => (await screen.findByRole('link', { name })).getAttribute('href');
  expect(await hrefOf('Open instance')).toBe('/instances/i1?prefix=shop%3A&snapshot=s1');
  expect(await hrefOf('Open deletions')).toBe('/instances/i1/deletions?prefix=shop%3A&snapshot=s1');
});
