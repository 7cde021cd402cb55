import { expect, it, vi } from 'vitest';
import { listDeletions } from '@/lib/deletions/get-deletion';
import { makePlan } from '@/lib/deletions/make-plan';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { PlanRequest } from '@/lib/model/deletions/plan-request';
import { writeManifest } from '@/lib/snapshots/folder/manifest';
import { getDb } from '@/lib/store/open-store';
import { askApi } from '@/test/access/ask-api';
import { makeSealed } from '@/test/snapshots/make-snapshot';
import { standPerTest } from '../deletions/stand-per-test';
import { toRow } from './snapshot-plan';

/**
 * A plan of many keys takes a while. If its caller disconnects, nothing of it keeps running, and many plans at once
 * wait for each other.
 */
const on = standPerTest();

/** Each key of the plan has to be counted on the server, at a low rate. */
async function slowRequest(): Promise<Record<string, unknown>> {
  const names = Array.from({ length: 60_000 }, (_, i) => `k:${i}`);
  for (let from = 0; from < names.length; from += 5000) {
    const write = on.client.pipeline();
    for (const name of names.slice(from, from + 5000)) write.rpush(name, 'v');
    await write.exec();
  }
  const rows = names.map((name) => toRow({ name, type: 'list', bytes: 88 }));
  const ref = await makeSealed(`${on.data.dir}/snapshots`, 'snapabandoned', rows);
  await writeManifest(ref.dir, { ...ref.manifest, instanceId: on.stand.instanceId });
  return {
    task: 'delete',
    instanceId: on.stand.instanceId,
    selection: { by: 'filter', snapshotId: 'snapabandoned', filter: {}, all: true },
    options: { speed: 'gentle' },
  };
}
const post = (body: unknown, signal?: AbortSignal) => askApi('POST /api/deletions/plans', { body, signal });
/** Returns the number of connections on which keys are counted. */
const counting = async () =>
  ((await on.client.client('LIST')) as string).split('\n').filter((line) => line.includes('colonnade-')).length;
async function itemsLeft() {
  const db = await getDb(undefined);
  const { fn } = db;
  const row = await db.selectFrom('deletion_items').select(fn.countAll<number>().as('items')).executeTakeFirst();
  return Number(row?.items ?? 0);
}

it('twenty askers who have gone leave no plan, no item and no connection', async () => {
  const body = await slowRequest();
  const gone = new AbortController();
  const answers = Array.from({ length: 20 }, () => post(body, gone.signal));
  await vi.waitFor(async () => expect(await itemsLeft()).toBeGreaterThan(0), 60_000);
  // At most one session, one connection for counting, and some that are being closed.
  expect(await counting()).toBeLessThan(6);
  gone.abort(new Error('gone'));
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  expect([...new Set(statuses)].sort()).toEqual([499, 503]);
  await vi.waitFor(async () => expect(await counting()).toBe(0), 30_000);
  expect(await itemsLeft()).toBe(0);
  expect(await listDeletions(LOCAL_ADMIN, {})).toEqual([]);
  // The slot for plans is free again.
  await on.client.set('one', 'v');
  const one = { by: 'keys', keys: [{ k: Buffer.from('one').toString('base64url'), db: 0 }] };
  expect((await post({ ...body, selection: one })).status).toBe(201);
}, 180_000);

it('a few at once wait for each other; too many are told when to come again', async () => {
  const body = await slowRequest();
  const gone = new AbortController();
  const slow = post(body, gone.signal);
  await vi.waitFor(async () => expect(await itemsLeft()).toBeGreaterThan(0), 60_000);
  await on.client.set('one', 'v');
  const one = { ...body, selection: { by: 'keys', keys: [{ k: Buffer.from('one').toString('base64url'), db: 0 }] } };
  const waiting = [makePlan(LOCAL_ADMIN, PlanRequest.parse(one)), makePlan(LOCAL_ADMIN, PlanRequest.parse(one))];
  const more = Array.from({ length: 10 }, () => post(one, gone.signal));
  const refused = await Promise.race(more);
  expect([refused.status, await refused.json()]).toMatchObject([503, { error: { code: 'busy' } }]);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  gone.abort(new Error('gone'));
  expect((await slow).status).toBe(499);
  expect((await Promise.all(waiting)).map(({ totals }) => totals.keys)).toEqual([1, 1]);
  await Promise.all(more);
}, 180_000);
