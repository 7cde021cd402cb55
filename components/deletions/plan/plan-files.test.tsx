// @vitest-environment happy-dom
import { cleanup } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { DestinationsCard } from '@/components/instances/server/destinations-card';
import type { DeletionPlan } from '@/lib/model/deletions/deletion-plan';
import { offeredFiles } from '@/test/offered-files';
import { showPage, stubApi } from '@/test/show-page';
import { HazardsCard } from './hazards-card';
import { PlanDetails } from './plan-details';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const PLAN = {
  ...{ id: 'p1', notices: [], commands: [], hazards: [{ hazard: 'no_copy', keys: 2, bytes: 8 }] },
  excluded: [{ reason: { code: 'gone', params: {} }, keys: 1, examples: ['a'] }],
} as unknown as DeletionPlan;

it('offers what could hurt and what is excluded as files', async () => {
  stubApi({});
  showPage(<HazardsCard plan={PLAN} />);
  expect(await offeredFiles(/^Export this list/)).toEqual(['/api/deletions/plans/p1?table=hazards&format=csv']);
  cleanup();
  showPage(<PlanDetails plan={PLAN} />);
  expect(await offeredFiles(/^Export this list/)).toEqual(['/api/deletions/plans/p1?table=excluded&format=csv']);
});

it('offers the confirmed destinations as a file, where there are any', async () => {
  const one = { address: '10.0.0.1:6379', confirmedBy: 'local admin', confirmedAt: 1 };
  stubApi({ '/api/instances/i1/destinations': { destinations: [one] } });
  const { findByText } = showPage(<DestinationsCard instanceId="i1" unconfirmed={[]} />);
  await findByText(/Local administrator/);
  expect(await offeredFiles(/^Export this list/)).toEqual(['/api/instances/i1/destinations?format=csv']);
});
