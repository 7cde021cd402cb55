import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { buildTombstoneName } from '@/lib/deletions/journal/item-names';
import { acceptServer } from '../../lib/deletions/accept-server';
import { compareServers } from '../../lib/deletions/compare-servers';
import { getDeletion } from '../../lib/deletions/get-deletion';
import { makePlan } from '../../lib/deletions/make-plan';
import { sweepDeletions } from '../../lib/deletions/sweep-deletions';
import { undoDeletion } from '../../lib/deletions/undo-deletion';
import { pauseJob } from '../../lib/jobs/pause-job';
import { resumeJob } from '../../lib/jobs/resume-job';
import { LOCAL_ADMIN } from '../../lib/model/actor';
import { listAuditRows } from '../../lib/store/audit';
import { updateItem } from '../../lib/store/deletions/deletion-items';
import { getInstanceRow, updateInstanceRow } from '../../lib/store/instances';
import { openStand, type Stand } from '../deletions/stand';
import { makeDeletion } from '../deletions/stand-per-test';
import { type RedisServer, startRedis } from '../servers/redis';
import { temporaryData } from '../temporary-data';
import { confirmPlan } from './snapshot-plan';

/**
 * A user may accept another server as the right one: only the server that was shown, and only for keys that it holds.
 */
let data: ReturnType<typeof temporaryData>;
let first: RedisServer;
let other: RedisServer;
let third: RedisServer;
let stand: Stand;

beforeAll(async () => {
  [first, other, third] = await Promise.all([startRedis(), startRedis(), startRedis()]);
});
afterAll(async () => {
  for (const server of [first, other, third]) await server.stop();
});
beforeEach(async () => {
  data = temporaryData();
  for (const server of [first, other, third]) await server.client().flushall();
  stand = await openStand(first);
});
afterEach(async () => {
  await stand.close();
  await data.remove();
});

async function pointTo({ port }: { port: number }) {
  const row = await getInstanceRow(stand.instanceId);
  if (!row) throw new Error('no instance');
  await updateInstanceRow({ ...row, settings: { ...row.settings, endpoints: [{ host: '127.0.0.1', port }] } });
}
async function planDeletion(names: string[], options = {}) {
  for (const name of names) await first.client().set(name, `the value of ${name}`);
  return makePlan(LOCAL_ADMIN, makeDeletion(stand.instanceId, names, options));
}
const readCode = async (id: string) => (await getDeletion(LOCAL_ADMIN, id)).job?.reason?.code;
const shown = async (id: string) => (await compareServers(LOCAL_ADMIN, id)).seen;
const accept = async (id: string, change: { confirm?: string; seen?: string } = {}) =>
  acceptServer(LOCAL_ADMIN, id, { confirm: 'stand', seen: await shown(id), ...change });
/** Copies a tombstone to this server, as a restore of a backup does. */
async function copyTombstone(id: string, seq: number) {
  const item = (await stand.items(id))[seq];
  if (!item) throw new Error('no item');
  const key = buildTombstoneName(item);
  const dump = await first.client().dumpBuffer(key);
  await other.client().restore(key, 0, dump as Buffer);
}

it('a purge that waits goes on, and what is not set aside there is not called removed', async () => {
  const plan = await planDeletion(['a', 'b'], { mode: 'quarantine', quarantineHours: 1, afterQuarantine: 'unlink' });
  const { id } = plan;
  await stand.until(await confirmPlan(plan), ['succeeded']);
  await copyTombstone(id, 0);
  await other.client().set('c', 'of the application');
  await pointTo(other);
  for (const { seq, journal } of await stand.items(id))
    await updateItem(id, seq, { undoUntil: 1, journal: { ...(journal as object), purgeAt: 1 } });
  await sweepDeletions();
  const job = (await getDeletion(LOCAL_ADMIN, id)).job?.id ?? '';
  await stand.until(job, ['paused']);
  expect(await readCode(id)).toBe('other_server');

  const { was, is, verdict } = await compareServers(LOCAL_ADMIN, id);
  expect([verdict, was?.nodes[0]?.address, is.nodes[0]?.address]).toEqual(['other', first.address, other.address]);
  const operator = { ...LOCAL_ADMIN, role: 'operator' as const };
  const seen = await shown(id);
  await expect(acceptServer(operator, id, { confirm: 'stand', seen })).rejects.toMatchObject({ code: 'forbidden' });
  await expect(accept(id, { confirm: 'Stand' })).rejects.toMatchObject({ code: 'wrong_phrase' });
  await expect(accept(id, { seen: '0'.repeat(64) })).rejects.toMatchObject({ code: 'conflict' });
  expect(await readCode(id)).toBe('other_server');

  const accepted = await accept(id);
  expect(accepted.plan.accepted).toMatchObject({ by: LOCAL_ADMIN.name, was: first.address, is: other.address });
  await stand.until(job, ['succeeded']);
  expect((await stand.items(id)).map(({ state, reason }) => [state, reason?.code])).toEqual([
    ['done', undefined],
    ['needs_review', 'not_set_aside_here'],
  ]);
  expect(await other.client().keys('*')).toEqual(['c']);
  const rows = await listAuditRows({}, null, 50);
  const acts = rows.filter(({ action }) => action === 'deletion.accept_server');
  expect(acts.map(({ outcome }) => outcome)).toEqual(['intent', 'refused']);
  expect(JSON.stringify(acts[0]?.details)).toContain(is.nodes[0]?.runId);
  expect(JSON.stringify(acts[0]?.details)).toContain(was?.nodes[0]?.replicationId);
});

it('a run that waits goes on with its plan, and keys begun elsewhere are looked up by both names', async () => {
  await stand.close();
  stand = await openStand(first, { name: 'second' }, false);
  const plan = await makePlanOfSecond(['begun', 'draining', 'changed', 'untouched']);
  const { id } = plan;
  const job = await confirmPlan(plan);
  const look = { type: 'string', encoding: 'raw', length: 18, bytes: 80 };
  const begun = { intent: true, address: first.address, runId: 'x'.repeat(40), look, expireAt: null };
  for (const seq of [0, 1])
    await updateItem(id, seq, {
      state: seq === 0 ? 'tombstoned' : 'draining',
      journal: seq === 0 ? begun : { ...begun, position: {} },
      startedAt: Date.now(),
    });
  await pauseJob(LOCAL_ADMIN, job);
  await pointTo(other);
  await other.client().set('changed', 'of another length than the value that was approved');
  await other.client().set('untouched', 'the value of untouched');
  await resumeJob(LOCAL_ADMIN, job);
  await stand.runner.start();
  await stand.until(job, ['paused']);
  await accept(id, { confirm: 'second' });
  await stand.until(job, ['succeeded']);
  expect((await stand.items(id)).map(({ state }) => state)).toEqual([
    'needs_review',
    'needs_review',
    'aborted',
    'done',
  ]);
  expect(await other.client().keys('*')).toEqual(['changed']);
});
async function makePlanOfSecond(names: string[]) {
  for (const name of names) await first.client().set(name, `the value of ${name}`);
  return makePlan(LOCAL_ADMIN, makeDeletion(stand.instanceId, names, { mode: 'unlink' }));
}

it('nothing is accepted in advance, nor a server that changes again', async () => {
  const plan = await planDeletion(['k']);
  await pointTo(other);
  // A plan that has not started cannot be moved to another server: a new plan reads what is there.
  await expect(accept(plan.id)).rejects.toMatchObject({ code: 'conflict' });
  await pointTo(first);
  await stand.until(await confirmPlan(plan), ['succeeded']);
  await expect(accept(plan.id)).rejects.toMatchObject({ code: 'conflict' });

  await pointTo(other);
  const seen = await shown(plan.id);
  await pointTo(third);
  await expect(accept(plan.id, { seen })).rejects.toMatchObject({ code: 'conflict' });
  await pointTo(other);
  await accept(plan.id, { seen });
  await expect(accept(plan.id, { seen })).rejects.toMatchObject({ code: 'conflict' });
  await pointTo(third);
  await expect(undoDeletion(LOCAL_ADMIN, plan.id, { restoreExpired: false })).rejects.toMatchObject({
    code: 'other_server',
  });
  await stand.start(plan.id, 'undo').then((job) => stand.until(job, ['paused']));
  expect(await readCode(plan.id)).toBe('other_server');
  expect(await third.client().dbsize()).toBe(0);
});

it('an undo builds there what was copied, and overwrites nothing', async () => {
  const plan = await planDeletion(['a', 'b']);
  const { id } = plan;
  await stand.until(await confirmPlan(plan), ['succeeded']);
  await pointTo(other);
  await other.client().set('b', 'made anew');
  await expect(undoDeletion(LOCAL_ADMIN, id, { restoreExpired: false })).rejects.toMatchObject({
    code: 'other_server',
  });
  await accept(id);
  const { job } = await undoDeletion(LOCAL_ADMIN, id, { restoreExpired: false });
  await stand.until(job?.id ?? '', ['succeeded']);
  expect(await other.client().mget('a', 'b')).toEqual(['the value of a', 'made anew']);
  expect((await stand.items(id)).map(({ state }) => state)).toEqual(['undone', 'done']);
});

it('an undo that was cut off on the server before does not take what stands there for its own', async () => {
  const plan = await planDeletion(['a', 'b'], { mode: 'quarantine', quarantineHours: 1 });
  const { id } = plan;
  await stand.until(await confirmPlan(plan), ['succeeded']);
  const [a] = await stand.items(id);
  const journal = { ...a?.journal, before: 'quarantined', renaming: 'home' } as const;
  await updateItem(id, 0, { state: 'restoring', journal });
  await pointTo(other);
  await other.client().set('a', 'of the application');
  await accept(id);
  const { job } = await undoDeletion(LOCAL_ADMIN, id, { restoreExpired: false });
  await stand.until(job?.id ?? '', ['failed']);
  expect((await stand.items(id)).map(({ state }) => state)).not.toContain('undone');
  expect((await stand.items(id))[1]).toMatchObject({ state: 'needs_review', reason: { code: 'not_set_aside_here' } });
  expect(await other.client().get('a')).toBe('of the application');
});
