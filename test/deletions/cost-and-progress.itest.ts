import { expect, it } from 'vitest';
import { makePlan } from '@/lib/deletions/make-plan';
import { startDeletion } from '@/lib/deletions/start-deletion';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { measureShare } from '@/lib/model/snapshots/measure-share';
import { updateDeletion } from '@/lib/store/deletions/deletions';
import { getStoredJob } from '@/lib/store/jobs';
import { until } from '../servers/process';
import { seedLarge } from './seed-large';
import { breakableLine, makeDeletion, standPerTest } from './stand-per-test';

const on = standPerTest();
const ELEMENTS = 20_000;

const run = async (name: string, options: Record<string, unknown> = {}) => {
  const plan = await makePlan(LOCAL_ADMIN, makeDeletion(on.stand.instanceId, [name], options));
  const { job } = await startDeletion(LOCAL_ADMIN, { planId: plan.id, confirm: plan.phrase, consents: plan.consents });
  return { plan, id: job!.id };
};

it('says what the server has worked, and estimates the next deletion by it', async () => {
  await seedLarge(on.client, 'hash', 'first', ELEMENTS);
  await seedLarge(on.client, 'hash', 'second', ELEMENTS);
  const { plan, id } = await run('first');
  expect(plan.estimate.measuredOn).toBe(0);
  await on.stand.until(id, ['succeeded']);
  const { cost } = (await getStoredJob(id))!.job;
  expect(cost!.serverMs).toBeGreaterThan(1);
  // According to its points, the deletion took two seconds.
  const points = Array.from({ length: 21 }, (_, i) => ({ at: i * 1000, removed: 0, latencyMs: null, chunk: null }));
  await updateDeletion(plan.id, { points });
  const next = await makePlan(LOCAL_ADMIN, makeDeletion(on.stand.instanceId, ['second']));
  const { seconds, measuredOn } = next.estimate;
  expect(measuredOn).toBe(1);
  expect(seconds!.from).toBeLessThan(20);
  expect(seconds!.to).toBeGreaterThan(20);
  // What archiving took says nothing about another mode.
  expect(next.prices.map(({ mode, measuredOn }) => [mode, measuredOn])).toContainEqual(['archive', 1]);
  for (const { mode, measuredOn } of next.prices)
    expect([mode, measuredOn]).toEqual([mode, mode === 'archive' ? 1 : 0]);
  const other = await makePlan(LOCAL_ADMIN, makeDeletion(on.stand.instanceId, ['second'], { mode: 'quarantine' }));
  expect(other.estimate.measuredOn).toBe(0);
});

it('a quarantine and its undo rename keys, so they count keys', async () => {
  await seedLarge(on.client, 'hash', 'whole', 5_000);
  const { plan, id } = await run('whole', { mode: 'quarantine' });
  await on.stand.until(id, ['succeeded']);
  expect((await getStoredJob(id))!.job.progress).toMatchObject({ unit: 'keys', done: 1, total: 1 });
  const undo = await on.stand.start(plan.id, 'undo');
  await on.stand.until(undo, ['succeeded']);
  expect((await getStoredJob(undo))!.job.progress).toMatchObject({ unit: 'keys', done: 1, total: 1 });
  expect(await on.client.hlen('whole')).toBe(5_000);
});

it('is on its way while a long string is archived', async () => {
  await seedLarge(on.client, 'string', 'long', 9_000_000);
  const proxy = await breakableLine(on);
  // The value is read in pieces of 256 KiB, sixteen of which are synced together.
  const struck = proxy.strike({ word: 'GETRANGE', act: 'hold', after: 20 });
  const { id } = await run('long');
  const held = await struck;
  const readJob = async () => (await getStoredJob(id))!.job;
  // Progress is written only now and then, so the first report may cover fewer pieces.
  await until('it to say so', async () => (measureShare(await readJob()) ?? 0) > 0.2);
  const job = await readJob();
  expect(job.progress).toMatchObject({ phase: 'archiving', done: 0, total: 1 });
  expect(measureShare(job)).toBeLessThan(0.5);
  held.release();
  await on.stand.until(id, ['succeeded']);
  expect((await readJob()).progress).toMatchObject({ done: 1, total: 1, phase: 'done' });
});
