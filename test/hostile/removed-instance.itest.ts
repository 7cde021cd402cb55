import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { emergencyStop } from '@/lib/deletions/emergency-stop-verbs';
import { deletionKind } from '../../lib/deletions/deletion-kind';
import { listDeletions } from '../../lib/deletions/get-deletion';
import { getLeftovers } from '../../lib/deletions/get-leftovers';
import { leftoversKind } from '../../lib/deletions/leftovers-kind';
import { makePlan } from '../../lib/deletions/make-plan';
import { startLeftoversSearch } from '../../lib/deletions/start-leftovers-search';
import { undoDeletion } from '../../lib/deletions/undo-deletion';
import { registerInstance } from '../../lib/instances/register-instance';
import { removeInstance } from '../../lib/instances/remove-instance';
import { createRunner } from '../../lib/jobs/loop/runner';
import { type Actor, LOCAL_ADMIN } from '../../lib/model/actor';
import type { ItemState } from '../../lib/model/deletions/item-states';
import { InstanceInput } from '../../lib/model/servers/instance';
import { formatRestoreName, formatTombstoneName } from '../../lib/redis/keys/internal-key-name';
import { computeSlot } from '../../lib/redis/keys/slot';
import { updateItem } from '../../lib/store/deletions/deletion-items';
import { deleteInstanceRow, getInstanceRow } from '../../lib/store/instances';
import { readEmergencyStop } from '../../lib/store/settings/emergency-stop';
import { openStand, type Stand } from '../deletions/stand';
import { makeDeletion } from '../deletions/stand-per-test';
import { type RedisServer, startRedis } from '../servers/redis';
import { temporaryData } from '../temporary-data';
import { confirmPlan } from './snapshot-plan';

/**
 * Tombstones and archives can be restored only through their instance: deleting the instance must neither strand nor
 * lose them.
 */
let data: ReturnType<typeof temporaryData>;
let redis: RedisServer;
let stand: Stand;

beforeEach(async () => {
  data = temporaryData();
  redis = await startRedis();
  stand = await openStand(redis);
});
afterEach(async () => {
  await stand.close();
  await redis.stop();
  await data.remove();
});

async function removed(name: string, options: Record<string, unknown> = {}, on = redis): Promise<string> {
  await on.client().set(name, 'a value');
  const plan = await makePlan(LOCAL_ADMIN, makeDeletion(stand.instanceId, [name], options));
  await stand.until(await confirmPlan(plan), ['succeeded']);
  return plan.id;
}
const remove = () => removeInstance(LOCAL_ADMIN, stand.instanceId);
const refused = (id: string) => ({ code: 'deletions_open', details: { keys: 1, deletions: [id] } });
const registered = (port: number, host = '127.0.0.1', name = 'again') =>
  registerInstance(
    LOCAL_ADMIN,
    InstanceInput.parse({ name, topology: 'standalone', readOnly: false, endpoints: [{ host, port }] }),
  );
async function undo(deletionId: string) {
  const { job } = await undoDeletion(LOCAL_ADMIN, deletionId, { restoreExpired: false });
  await stand.until(job?.id ?? '', ['succeeded']);
}
async function search(instanceId: string, by: Actor = LOCAL_ADMIN) {
  const runner = createRunner({ kinds: [leftoversKind as never], concurrency: 1, tickMs: 100, pollMs: 50 });
  await stand.close();
  await runner.start();
  const { id } = await startLeftoversSearch(by, instanceId);
  await stand.until(id, ['succeeded']);
  await runner.stop();
}
const listIds = async (instanceId: string) =>
  (await listDeletions(LOCAL_ADMIN, { instanceId })).map(({ plan }) => plan.id);

describe('removing an instance', () => {
  it('is refused while a removal can be undone, and goes when it was', async () => {
    const id = await removed('k');
    await expect(remove()).rejects.toMatchObject(refused(id));
    expect(await getInstanceRow(stand.instanceId)).not.toBeNull();
    await undo(id);
    expect(await redis.client().get('k')).toBe('a value');
    await remove();
  });

  it('is refused while a key is quarantined', async () => {
    const id = await removed('k', { mode: 'quarantine', quarantineHours: 1 });
    await expect(remove()).rejects.toMatchObject(refused(id));
    await undo(id);
    await remove();
  });

  it.each<ItemState>(['tombstoned', 'draining', 'restoring', 'needs_review'])(
    'is refused while a key is %s, without a copy too',
    async (state) => {
      const id = await removed('k', { mode: 'unlink' });
      await updateItem(id, 0, { state, undoUntil: null });
      await expect(remove()).rejects.toMatchObject(refused(id));
      await updateItem(id, 0, { state: 'done' });
      await remove();
    },
  );
});

it('its emergency stop goes with it, and no other', async () => {
  await emergencyStop(LOCAL_ADMIN, { instanceId: stand.instanceId });
  const other = await registered(redis.port, 'localhost');
  await emergencyStop(LOCAL_ADMIN, { instanceId: other.id });
  await remove();
  // It is stored, not only shown.
  expect(Object.keys((await readEmergencyStop()).instances)).toEqual([other.id]);
});

describe('a server that is registered again', () => {
  it('under the same address has its archives and tombstones at once', async () => {
    const archived = await removed('k');
    const aside = await removed('l', { mode: 'quarantine', quarantineHours: 1 });
    await deleteInstanceRow(stand.instanceId);
    const { id } = await registered(redis.port);
    expect((await listIds(id)).sort()).toEqual([archived, aside].sort());
    await undo(archived);
    await undo(aside);
    expect(await redis.client().mget('k', 'l')).toEqual(['a value', 'a value']);
  });

  it('under another address finds them by its tombstones and its history', async () => {
    const archived = await removed('k');
    const aside = await removed('l', { mode: 'quarantine', quarantineHours: 1 });
    await deleteInstanceRow(stand.instanceId);
    const { id } = await registered(redis.port, 'localhost');
    expect(await listIds(id)).toEqual([]);
    await search(id);
    expect((await listIds(id)).sort()).toEqual([archived, aside].sort());
  });

  it('started again with a new history, it is known by its tombstones alone', async () => {
    const kept = await startRedis({ args: ['--appendonly', 'yes', '--appendfsync', 'always'] });
    onTestFinished(() => kept.stop());
    await stand.close();
    stand = await openStand(kept, { name: 'passed' });
    const aside = await removed('k', { mode: 'quarantine', quarantineHours: 1 }, kept);
    await deleteInstanceRow(stand.instanceId);
    await kept.restart();
    const { id } = await registered(kept.port, 'localhost');
    await search(id);
    expect(await listIds(id)).toEqual([aside]);
  });

  it('a name that somebody writes on another server gets nothing, whoever searches', async () => {
    const archived = await removed('k');
    await deleteInstanceRow(stand.instanceId);
    const other = await startRedis();
    onTestFinished(() => other.stop());
    const tombstone = formatTombstoneName(computeSlot(Buffer.from('k')), archived, 0);
    for (const name of [tombstone, `colonnade:trash:{x}:${archived}:0`]) await other.client().set(name, 'forged');
    const { id } = await registered(other.port);
    const operator: Actor = { id: 'o', name: 'otto', role: 'none', via: 'page', grants: [] };
    const granted = { ...operator, grants: [{ kind: 'instance' as const, value: id, role: 'operator' as const }] };
    await search(id, granted);
    expect(await listIds(id)).toEqual([]);
    const { leftovers } = await getLeftovers(granted, id);
    expect(leftovers).toMatchObject(Array(2).fill({ deletionId: null, original: null }));
    expect(JSON.stringify(await listDeletions(granted, { instanceId: id }))).not.toContain(archived);
    // Everything of that key was deleted, so no tombstone of it can be anywhere.
    await search(id);
    expect(await listIds(id)).toEqual([]);
  });

  it('a forged tombstone that could be one is vouched for by an administrator, until the place has it back', async () => {
    const aside = await removed('k', { mode: 'quarantine', quarantineHours: 1 });
    await deleteInstanceRow(stand.instanceId);
    const other = await startRedis();
    onTestFinished(() => other.stop());
    const client = other.client();
    const { id } = await registered(other.port);
    const tombstone = formatTombstoneName(computeSlot(Buffer.from('k')), aside, 0);
    await client.set(`colonnade:trash:{x}:${aside}:0`, 'in a slot that is not that of the key');
    await client.set(formatRestoreName(computeSlot(Buffer.from('k')), aside, 0), 'a name that is no tombstone');
    await client.rpush(tombstone, 'a type that the key did not have');
    await search(id);
    expect(await listIds(id)).toEqual([]);
    await client.del(tombstone);
    await client.set(tombstone, 'forged');
    await search(id);
    expect(await listIds(id)).toEqual([aside]);
    const back = await registered(redis.port, '127.0.0.1', 'back');
    expect([await listIds(id), await listIds(back.id)]).toEqual([[], [aside]]);
    const runner = createRunner({ kinds: [deletionKind as never], concurrency: 1, tickMs: 100, pollMs: 50 });
    await runner.start();
    onTestFinished(() => runner.stop());
    await undo(aside);
    expect(await redis.client().get('k')).toBe('a value');
  });

  it('another server does not get them, nor are they brought back to it', async () => {
    const archived = await removed('k');
    await deleteInstanceRow(stand.instanceId);
    const other = await startRedis();
    try {
      const { id } = await registered(other.port);
      expect(await listIds(id)).toEqual([]);
      await expect(undoDeletion(LOCAL_ADMIN, archived, { restoreExpired: false })).rejects.toThrow();
      expect(await other.client().dbsize()).toBe(0);
    } finally {
      await other.stop();
    }
  });
});
