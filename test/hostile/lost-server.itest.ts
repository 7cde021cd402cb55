import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { exportArchive } from '../../lib/deletions/export/export-archive';
import { getDeletion, listDeletions } from '../../lib/deletions/get-deletion';
import { giveUp } from '../../lib/deletions/give-up';
import { makePlan } from '../../lib/deletions/make-plan';
import { sweepDeletions } from '../../lib/deletions/sweep-deletions';
import { undoDeletion } from '../../lib/deletions/undo-deletion';
import { registerInstance } from '../../lib/instances/register-instance';
import { removeInstance } from '../../lib/instances/remove-instance';
import { LOCAL_ADMIN } from '../../lib/model/actor';
import { GiveUp } from '../../lib/model/deletions/plan-request';
import { InstanceInput } from '../../lib/model/servers/instance';
import { listAuditRows } from '../../lib/store/audit';
import { updateItem } from '../../lib/store/deletions/deletion-items';
import { getInstanceRow, updateInstanceRow } from '../../lib/store/instances';
import { openStand, type Stand } from '../deletions/stand';
import { makeDeletion } from '../deletions/stand-per-test';
import { type RedisServer, startRedis } from '../servers/redis';
import { temporaryData } from '../temporary-data';
import { confirmPlan } from './snapshot-plan';

/** A server that is gone for good blocks nothing for ever; one that still answers is never given up. */
let data: ReturnType<typeof temporaryData>;
let redis: RedisServer;
let stand: Stand;

beforeEach(async () => {
  data = temporaryData();
  redis = await startRedis({ args: ['--appendonly', 'yes', '--appendfsync', 'always'] });
  stand = await openStand(redis);
});
afterEach(async () => {
  await stand.close();
  await redis.stop();
  await data.remove();
});

async function removed(names: string[], options: Record<string, unknown> = {}): Promise<string> {
  for (const name of names) await redis.client().set(name, `the value of ${name}`);
  const plan = await makePlan(LOCAL_ADMIN, makeDeletion(stand.instanceId, names, options));
  await stand.until(await confirmPlan(plan), ['succeeded']);
  return plan.id;
}
const give = (change: Record<string, unknown> = {}, actor = LOCAL_ADMIN) =>
  giveUp(actor, stand.instanceId, GiveUp.parse({ confirm: 'stand', consents: ['set_aside_lost'], ...change }));
const remove = () => removeInstance(LOCAL_ADMIN, stand.instanceId);
const states = async (id: string) => (await stand.items(id)).map(({ state }) => state);

it('asks for the name, the consent, an admin, and that the server does not answer', async () => {
  const id = await removed(['k'], { mode: 'quarantine', quarantineHours: 1 });
  await expect(give({ confirm: 'Stand' })).rejects.toMatchObject({ code: 'wrong_phrase' });
  await expect(give({ consents: [] })).rejects.toMatchObject({ code: 'consent_missing' });
  await expect(give({}, { ...LOCAL_ADMIN, role: 'operator' })).rejects.toMatchObject({ code: 'forbidden' });
  await expect(give()).rejects.toMatchObject({ code: 'deletions_open', details: { deletions: [id] } });
  // A changed address or a refused password is no reason to give it up.
  const row = await getInstanceRow(stand.instanceId);
  if (!row) throw new Error('no instance');
  const endpoints = [{ host: '127.0.0.1', port: 1 }];
  await updateInstanceRow({ ...row, settings: { ...row.settings, endpoints } });
  await expect(give()).rejects.toMatchObject({ code: 'deletions_open' });
  await redis.client().call('CONFIG', 'SET', 'requirepass', 'changed');
  await expect(give()).rejects.toMatchObject({ code: 'deletions_open' });
  await updateInstanceRow(row);
  await expect(give()).rejects.toMatchObject({ code: 'deletions_open' });
  expect(await states(id)).toEqual(['quarantined']);
});

it('ends what was begun and says who; archives stay, and the instance can be removed', async () => {
  const aside = await removed(['k', 'l'], { mode: 'quarantine', quarantineHours: 1 });
  const archived = await removed(['m']);
  await updateItem(aside, 1, { state: 'needs_review' });
  await redis.kill();
  await expect(remove()).rejects.toMatchObject({ code: 'deletions_open' });
  const { keys, deletions } = await give();
  expect([keys, deletions.sort()]).toEqual([3, [aside, archived].sort()]);
  expect((await stand.items(aside)).map(({ state, reason }) => [state, reason?.code, reason?.params.by])).toEqual([
    ['given_up', 'given_up', LOCAL_ADMIN.name],
    ['given_up', 'given_up', LOCAL_ADMIN.name],
  ]);
  const acts = (await listAuditRows({}, null, 50)).filter(({ action }) => action === 'deletion.give_up');
  expect(acts.map(({ outcome }) => outcome)).toEqual(['intent']);
  await expect(give()).rejects.toMatchObject({ code: 'nothing_to_do' });
  await remove();
  // Neither is a quarantined key purged, nor is an archive deleted early.
  await sweepDeletions(Date.now() + 2 * 3_600_000);
  const { stream } = await exportArchive(LOCAL_ADMIN, archived, { seq: null, reason: 'its server is lost' });
  expect(await new Response(stream).text()).toContain('"m"');
  // After its retention the record is deleted like any other.
  await sweepDeletions(Date.now() + 8 * 24 * 3_600_000);
  expect((await getDeletion(LOCAL_ADMIN, aside)).itemsRemovedAt).not.toBeNull();
  await expect(exportArchive(LOCAL_ADMIN, archived, { seq: null, reason: 'its server is lost' })).rejects.toMatchObject(
    {
      code: 'not_found',
    },
  );
});

it('a server that comes back has its tombstones and its undos, and holds its instance again', async () => {
  const aside = await removed(['k'], { mode: 'quarantine', quarantineHours: 1 });
  const archived = await removed(['m']);
  await redis.kill();
  await give();
  await remove();
  await redis.restart();
  const { id } = await registerInstance(
    LOCAL_ADMIN,
    InstanceInput.parse({
      name: 'again',
      topology: 'standalone',
      readOnly: false,
      endpoints: [{ host: '127.0.0.1', port: redis.port }],
    }),
  );
  expect((await listDeletions(LOCAL_ADMIN, { instanceId: id })).map(({ plan }) => plan.id).sort()).toEqual(
    [aside, archived].sort(),
  );
  await expect(removeInstance(LOCAL_ADMIN, id)).rejects.toMatchObject({ code: 'deletions_open' });
  for (const one of [aside, archived]) {
    const { job } = await undoDeletion(LOCAL_ADMIN, one, { restoreExpired: false });
    await stand.until(job?.id ?? '', ['succeeded']);
  }
  expect(await redis.client().mget('k', 'm')).toEqual(['the value of k', 'the value of m']);
  expect([await states(aside), await states(archived)]).toEqual([['undone'], ['undone']]);
  await removeInstance(LOCAL_ADMIN, id);
});

it('another server at its address is not the one that is lost', async () => {
  const other = await startRedis();
  onTestFinished(() => other.stop());
  const id = await removed(['k'], { mode: 'quarantine', quarantineHours: 1 });
  await redis.kill();
  const row = await getInstanceRow(stand.instanceId);
  if (!row) throw new Error('no instance');
  const endpoints = [{ host: '127.0.0.1', port: other.port }];
  await updateInstanceRow({ ...row, settings: { ...row.settings, endpoints } });
  await give();
  expect(await states(id)).toEqual(['given_up']);
  expect(await other.client().dbsize()).toBe(0);
});
