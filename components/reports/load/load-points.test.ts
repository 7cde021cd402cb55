import { expect, it } from 'vitest';
import { type Job, NO_COST } from '@/lib/model/job';
import { addLoadPoint, computeLoadRates, type LoadPoint } from './load-points';

const job = (at: number, commands: number, more: { serverMs?: number | null; latency?: number | null } = {}) =>
  ({
    updatedAt: at,
    cost: { ...NO_COST, commands, serverMs: more.serverMs ?? null },
    progress: { nodes: [{ latencyMs: more.latency ?? null }, { latencyMs: null }] },
  }) as unknown as Job;
const collect = (jobs: Job[]) => jobs.reduce(addLoadPoint, [] as readonly LoadPoint[]);

it('says commands per second, the worst latency, and nothing where nothing is known', () => {
  const points = collect([
    job(1000, 0, { serverMs: 0 }),
    job(3000, 400, { serverMs: 100, latency: 2 }),
    job(4000, 900),
  ]);
  expect(computeLoadRates(points)).toEqual([
    { at: 3000, left: 200, right: 2, serverShare: 0.05 },
    { at: 4000, left: 500, right: null, serverShare: null },
  ]);
});

it('takes no moment twice, begins anew with the job, and stays bounded', () => {
  expect(collect([job(1000, 5), job(1000, 5), job(900, 4)])).toHaveLength(1);
  expect(collect([job(1000, 500), job(2000, 3)])).toEqual([expect.objectContaining({ at: 2000, commands: 3 })]);
  const many = collect(Array.from({ length: 5000 }, (_, i) => job(i * 1000, i)));
  expect(many.length).toBeLessThanOrEqual(601);
  expect(many[0]?.at).toBe(0);
  expect(addLoadPoint([], { ...job(1, 1), cost: null } as unknown as Job)).toEqual([]);
});
