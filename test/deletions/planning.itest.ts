import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { clearEmergencyStop, emergencyStop, getEmergencyStopState } from '@/lib/deletions/emergency-stop-verbs';
import { isEmergencyStopped } from '@/lib/deletions/executor/emergency-stop-state';
import { revalidatePlan } from '@/lib/deletions/revalidate-plan';
import { listAudit } from '../../lib/access/audit-log/list-audit';
import { discardPlan, sweepPlans } from '../../lib/deletions/discard-plan';
import { exportArchive } from '../../lib/deletions/export/export-archive';
import { getDeletion, getPlan } from '../../lib/deletions/get-deletion';
import { makePlan } from '../../lib/deletions/make-plan';
import { startDeletion } from '../../lib/deletions/start-deletion';
import { undoDeletion } from '../../lib/deletions/undo-deletion';
import { type Actor, LOCAL_ADMIN } from '../../lib/model/actor';
import { PlanRequest } from '../../lib/model/deletions/plan-request';
import { NO_EXPIRY, UNKNOWN } from '../../lib/model/snapshots/facts-page';
import { formatRestoreName, formatTombstoneName } from '../../lib/redis/keys/internal-key-name';
import { listParts } from '../../lib/snapshots/folder/folder';
import { writeManifest } from '../../lib/snapshots/folder/manifest';
import { countItems } from '../../lib/store/deletions/deletion-counts';
import { insertItems, listItems } from '../../lib/store/deletions/deletion-items';
import { getStoredDeletion, listStoredDeletions, updateDeletion } from '../../lib/store/deletions/deletions';
import { generateId } from '../../lib/store/generate-id';
import { deleteInstanceRow, getInstanceRow, insertInstanceRow, updateInstanceRow } from '../../lib/store/instances';
import { runTransaction } from '../../lib/store/open-store';
import { readEmergencyStop } from '../../lib/store/settings/emergency-stop';
import { deleteSnapshotRow, insertSnapshot } from '../../lib/store/snapshots';
import { LONG } from '../long-form.mjs';
import { sleep } from '../servers/process';
import { makeLive, makeSealed } from '../snapshots/make-snapshot';
import { seedLarge } from './seed-large';
import { makeDeletion, standPerTest } from './stand-per-test';

const VIEWER: Actor = { id: 'v', name: 'vera', role: 'viewer', via: 'page' };
const OPERATOR: Actor = { id: 'o', name: 'otto', role: 'operator', via: 'page' };
const OLD_MS = 16 * 60_000;
const on = standPerTest();

const request = (names: string[], more: Record<string, unknown> = {}) => makeDeletion(on.stand.instanceId, names, more);
const confirm = (planId: string) => startDeletion(LOCAL_ADMIN, { planId, confirm: 'stand', consents: [] });
async function grownOld(id: string) {
  const stored = await getStoredDeletion(id);
  if (!stored) throw new Error('no plan');
  await updateDeletion(id, { plan: { ...stored.plan, lookedAt: Date.now() - OLD_MS } });
}
function madeKey(name: string) {
  const bytesOfName = Buffer.from(name);
  return {
    bytesOfName,
    node: 0,
    db: 0,
    type: 'string',
    encoding: 'embstr',
    expireAt: NO_EXPIRY,
    bytes: 56,
    length: 1,
    idle: 100,
    freq: UNKNOWN,
  };
}
const actions = async () => (await listAudit(LOCAL_ADMIN)).rows.map(({ action, outcome }) => `${action} ${outcome}`);

describe('an old plan', () => {
  it('asks again when a key has become another type of the same size', async () => {
    await on.client.hset('k', { a: '1', b: '2', c: '3' });
    const plan = await makePlan(LOCAL_ADMIN, request(['k']));
    await grownOld(plan.id);
    await on.client.del('k');
    await on.client.sadd('k', 'x', 'y', 'z');
    await expect(confirm(plan.id)).rejects.toMatchObject({ code: 'plan_outdated' });
    expect(await on.client.scard('k')).toBe(3);
  });

  it('asks again when keys changed their lengths in opposite ways', async () => {
    // The elements are long, because before 7.2 small keys are distinguished by their memory.
    const elements = Array.from('123456789', (digit) => digit.repeat(100));
    await on.client.rpush('a', ...elements);
    await on.client.rpush('b', elements[0]!);
    const plan = await makePlan(LOCAL_ADMIN, request(['a', 'b']));
    await grownOld(plan.id);
    await on.client.ltrim('a', 0, 0);
    await on.client.rpush('b', ...elements.slice(1));
    await expect(confirm(plan.id)).rejects.toMatchObject({ code: 'plan_outdated' });
  });

  it('stays when nothing can be looked at', async () => {
    await on.client.set('k', 'v');
    const plan = await makePlan(LOCAL_ADMIN, request(['k']));
    await grownOld(plan.id);
    await on.client.del('k');
    await expect(confirm(plan.id)).rejects.toThrow();
    expect((await getPlan(LOCAL_ADMIN, plan.id)).id).toBe(plan.id);
  });

  it('starts once where two confirm it at once', async () => {
    await on.client.set('k', 'v');
    const plan = await makePlan(LOCAL_ADMIN, request(['k']));
    await grownOld(plan.id);
    const both = await Promise.allSettled([confirm(plan.id), confirm(plan.id)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const refused = both.find((one) => one.status === 'rejected');
    expect(refused?.reason).toMatchObject({ code: expect.stringMatching(/conflict|job_running/) });
    const { job, counts } = await getDeletion(LOCAL_ADMIN, plan.id);
    expect(Object.values(counts).reduce((a, b) => a + b, 0)).toBe(1);
    await on.stand.until(job?.id ?? '', ['succeeded']);
    // The slower of the two calls may check the keys after they have been deleted.
    await expect(revalidatePlan(LOCAL_ADMIN, plan)).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('a filter', () => {
  /** The plan is written in two pieces. LONG=1: in five. */
  const KEYS = LONG ? 20_000 : 6_000;

  it('freezes what the snapshot knows under it, and asks keys from everywhere whether they are still there', async () => {
    const names = Array.from({ length: KEYS }, (_, i) => `app:${String(i).padStart(6, '0')}`);
    const ref = await makeSealed(join(on.data.dir, 'snapshots'), 'snapplan1', names.map(madeKey));
    await writeManifest(ref.dir, { ...ref.manifest, instanceId: on.stand.instanceId });
    // The second half of the names does not exist any more.
    await on.client.mset(names.slice(0, KEYS / 2).flatMap((name) => [name, 'v']));
    const plan = await makePlan(
      LOCAL_ADMIN,
      PlanRequest.parse({
        task: 'delete',
        instanceId: on.stand.instanceId,
        selection: { by: 'filter', snapshotId: 'snapplan1', filter: {}, all: true },
      }),
    );
    expect(plan.totals.keys).toBe(KEYS);
    const sample = plan.notices.find(({ code }) => code === 'sample')?.params;
    expect(sample?.sample).toBe(200);
    // Half of 200, give or take six standard deviations.
    expect(Math.abs(Number(sample?.gone) - 100)).toBeLessThan(43);
    await grownOld(plan.id);
    await confirm(plan.id);
  });
});

describe('a snapshot whose files go while a plan reads them', () => {
  const FACTS = { keys: 1, bytes: null, bigkeys: null, noExpiryKeys: null, fileBytes: null, partial: true };

  /** The part file of the snapshot is listed, and missing when it is opened. */
  async function planOfGone(snapshotId: string, { cancelled }: { cancelled: boolean }) {
    const ref = await makeLive(join(on.data.dir, 'snapshots'), snapshotId, [madeKey('app:1')]);
    await writeManifest(ref.dir, { ...ref.manifest, instanceId: on.stand.instanceId });
    const [part] = await listParts(ref.dir);
    rmSync(join(ref.dir, part!));
    symlinkSync('nowhere', join(ref.dir, part!));
    const row = { id: snapshotId, instanceId: on.stand.instanceId, jobId: null, startedAt: 1, endedAt: null, ...FACTS };
    await insertSnapshot({ ...row, state: 'live' });
    const selection = { by: 'filter', snapshotId, filter: {}, all: true };
    const asked = PlanRequest.parse({ task: 'delete', instanceId: on.stand.instanceId, selection });
    const plan = makePlan(LOCAL_ADMIN, asked);
    if (cancelled) await deleteSnapshotRow(snapshotId);
    return plan;
  }

  it('is gone when its scan was cancelled', async () => {
    await expect(planOfGone('cancelled1', { cancelled: true })).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringMatching(/cancelled.*another snapshot/),
    });
  });

  it('is planned again when its scan went on', async () => {
    await expect(planOfGone('wenton01', { cancelled: false })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/plan again/),
    });
    expect(await listStoredDeletions({})).toEqual([]);
  });
});

describe('a long list that is made anew', () => {
  /** Items are deleted in pieces of 2,000 and moved in pieces of 500. */
  const MANY = 2_500;

  async function planOfMany() {
    const names = Array.from({ length: MANY }, (_, i) => `app:${String(i).padStart(6, '0')}`);
    const ref = await makeSealed(join(on.data.dir, 'snapshots'), 'snapplan2', names.map(madeKey));
    await writeManifest(ref.dir, { ...ref.manifest, instanceId: on.stand.instanceId });
    await on.client.mset(names.flatMap((name) => [name, 'v']));
    const selection = { by: 'filter', snapshotId: 'snapplan2', filter: {}, all: true };
    const options = { mode: 'unlink', speed: 'fast' };
    const asked = PlanRequest.parse({ task: 'delete', instanceId: on.stand.instanceId, selection, options });
    return makePlan(LOCAL_ADMIN, asked);
  }
  const confirm = (planId: string) => startDeletion(LOCAL_ADMIN, { planId, confirm: 'stand', consents: ['no_undo'] });

  it('takes the place of the old one in pieces, and cannot be confirmed half way', async () => {
    const plan = await planOfMany();
    await grownOld(plan.id);
    process.env.COLONNADE_PROTECT = 'app:0000*';
    try {
      let over = false;
      const seen: number[] = [];
      const outdated = expect(confirm(plan.id)).rejects.toMatchObject({ code: 'plan_outdated' });
      void outdated.finally(() => {
        over = true;
      });
      while (!over) {
        await sleep(1);
        const { planned = 0 } = await countItems(plan.id);
        const before = seen.at(-1);
        seen.push(planned);
        if (planned < 2_000 && planned !== before)
          await expect(confirm(plan.id)).rejects.toMatchObject({ code: 'conflict' });
      }
      await outdated;
      // Other requests are answered between the pieces.
      expect(seen.filter((count) => count > 0 && count < MANY - 100).length).toBeGreaterThan(1);
      const { counts, plan: anew } = await getDeletion(LOCAL_ADMIN, plan.id);
      expect(anew.totals.keys).toBe(MANY - 100);
      expect(counts).toEqual({ planned: MANY - 100 });
      expect(await listPlans()).toEqual([plan.id]);
      const { job } = await confirm(plan.id);
      await on.stand.until(job?.id ?? '', ['succeeded']);
      expect(await on.client.dbsize()).toBe(100);
    } finally {
      delete process.env.COLONNADE_PROTECT;
    }
  }, 240_000);

  it('and was cut off, is never confirmed, and goes by itself', async () => {
    const plan = await planOfMany();
    await updateDeletion(plan.id, { plan: { ...plan, replacing: Date.now() } });
    await expect(confirm(plan.id)).rejects.toMatchObject({ code: 'conflict' });
    await sweepPlans();
    expect(await listPlans()).toEqual([plan.id]);
    await sweepPlans(Date.now() + 16 * 60_000);
    expect(await listPlans()).toEqual([]);
    expect(await countItems(plan.id)).toEqual({});
    expect(await on.client.dbsize()).toBe(MANY);
  });
});

const listPlans = async () => (await listStoredDeletions({ states: ['planned'] })).map(({ plan }) => plan.id);

describe('limits and flags', () => {
  it('says how many keys were found, and the cap', async () => {
    process.env.COLONNADE_DELETE_MAX_KEYS = '2';
    try {
      await on.client.mset('a', '1', 'b', '1', 'c', '1');
      await expect(makePlan(LOCAL_ADMIN, request(['a', 'b', 'c']))).rejects.toMatchObject({
        code: 'too_many_keys',
        details: { limit: 2, found: 3 },
      });
    } finally {
      delete process.env.COLONNADE_DELETE_MAX_KEYS;
    }
  });

  it.each([9, 30])('counts the keys that a filter chooses: %i', async (count) => {
    const names = Array.from({ length: count }, (_, i) => `app:${i}`);
    const ours = [formatTombstoneName(7, 'job1', 3).toString(), formatRestoreName(9, 'job1', 4).toString()];
    const ref = await makeSealed(
      join(on.data.dir, 'snapshots'),
      'snapplan3',
      [...names, 'colonnade:not-ours', ...ours].map(madeKey),
    );
    await writeManifest(ref.dir, { ...ref.manifest, instanceId: on.stand.instanceId });
    const selection = { by: 'filter', snapshotId: 'snapplan3', filter: { prefix: 'app:' } };
    const asked = PlanRequest.parse({ task: 'delete', instanceId: on.stand.instanceId, selection });
    const tooMany = (found: number) => ({ code: 'too_many_keys', details: { limit: 5, found } });
    process.env.COLONNADE_DELETE_MAX_KEYS = '5';
    try {
      await expect(makePlan(LOCAL_ADMIN, asked)).rejects.toMatchObject(tooMany(names.length));
      const all = { ...asked, selection: { ...selection, filter: {}, all: true } } as PlanRequest;
      await expect(makePlan(LOCAL_ADMIN, all)).rejects.toMatchObject(tooMany(names.length + 1));
      // Keys protected by patterns do not count for a plan, however many there are.
      process.env.COLONNADE_PROTECT = 'app:?';
      const left = names.length - 10;
      if (left > 5) await expect(makePlan(LOCAL_ADMIN, asked)).rejects.toMatchObject(tooMany(left));
      else await expect(makePlan(LOCAL_ADMIN, asked)).rejects.toMatchObject({ code: 'nothing_to_do' });
    } finally {
      delete process.env.COLONNADE_DELETE_MAX_KEYS;
      delete process.env.COLONNADE_PROTECT;
    }
  });

  it('plans on a read-only instance and says that it cannot start', async () => {
    await on.client.set('a', '1');
    const row = await getInstanceRow(on.stand.instanceId);
    if (!row) throw new Error('no instance');
    await updateInstanceRow({ ...row, settings: { ...row.settings, readOnly: true } });
    const plan = await makePlan(LOCAL_ADMIN, request(['a']));
    expect(plan.notices.map(({ code }) => code)).toContain('read_only');
    // The current settings of the instance count, not the former ones.
    const noticed = async () => (await getDeletion(LOCAL_ADMIN, plan.id)).plan.notices.map(({ code }) => code);
    await updateInstanceRow({ ...row, settings: { ...row.settings, readOnly: false } });
    expect(await noticed()).not.toContain('read_only');
    await updateInstanceRow({ ...row, settings: { ...row.settings, readOnly: true } });
    expect((await noticed()).filter((code) => code === 'read_only')).toHaveLength(1);
  });

  it('production asks for a consent of its own', async () => {
    await on.client.set('a', '1');
    const row = await getInstanceRow(on.stand.instanceId);
    if (!row) throw new Error('no instance');
    await updateInstanceRow({ ...row, settings: { ...row.settings, production: true } });
    const plan = await makePlan(LOCAL_ADMIN, request(['a']));
    await expect(confirm(plan.id)).rejects.toMatchObject({
      code: 'consent_missing',
      details: { missing: ['production'] },
    });
  });

  it('goes by itself after a day, and only while nobody confirmed it', async () => {
    await on.client.mset('a', '1');
    const plan = await makePlan(LOCAL_ADMIN, request(['a']));
    await sweepPlans(Date.now() + 23 * 3_600_000);
    expect((await getPlan(LOCAL_ADMIN, plan.id)).id).toBe(plan.id);
    await sweepPlans(Date.now() + 25 * 3_600_000);
    await expect(getPlan(LOCAL_ADMIN, plan.id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('what a crash in the middle of planning left goes after a day too, and nothing else', async () => {
    await on.client.mset('a', '1');
    const plan = await makePlan(LOCAL_ADMIN, request(['a']));
    await confirm(plan.id);
    const [item] = await listItems({ deletionId: plan.id });
    if (!item) throw new Error('A plan without its item.');
    const cut = generateId();
    const snapshot = Array.from({ length: 5_000 }, (_, seq) => ({ ...item, seq }));
    await runTransaction((tx) => insertItems(cut, snapshot, tx));
    await sweepPlans(Date.now() + 23 * 3_600_000);
    expect(await listItems({ deletionId: cut, limit: 1 })).toHaveLength(1);
    await sweepPlans(Date.now() + 25 * 3_600_000);
    expect(await listItems({ deletionId: cut, limit: 1 })).toEqual([]);
    expect(await listItems({ deletionId: plan.id })).toHaveLength(1);
  });

  it('a plan thrown away while it is confirmed never leaves a job without keys', async () => {
    await on.client.mset('a', '1');
    for (let round = 0; round < (LONG ? 10 : 3); round++) {
      await on.client.set('a', '1');
      const plan = await makePlan(LOCAL_ADMIN, request(['a']));
      const [thrown, started] = await Promise.allSettled([discardPlan(LOCAL_ADMIN, plan.id), confirm(plan.id)]);
      expect([thrown.status, started.status].sort()).toEqual(['fulfilled', 'rejected']);
      if (started.status === 'fulfilled') await on.stand.until(started.value.job?.id ?? '', ['succeeded']);
    }
  });
});

describe('who may', () => {
  it('viewers are refused by every verb that writes, and each attempt is on record', async () => {
    await on.client.set('a', '1');
    const plan = await makePlan(LOCAL_ADMIN, request(['a']));
    const tries: [string, () => Promise<unknown>][] = [
      ['deletion.start', () => startDeletion(VIEWER, { planId: plan.id, confirm: 'stand', consents: [] })],
      ['deletion.undo', () => undoDeletion(VIEWER, plan.id, { restoreExpired: false })],
      ['deletion.discard', () => discardPlan(VIEWER, plan.id)],
      ['value.export', () => exportArchive(VIEWER, plan.id, { seq: null, reason: null })],
      ['panic', () => emergencyStop(VIEWER, {})],
      ['panic.lift', () => clearEmergencyStop(VIEWER, {})],
    ];
    for (const [action, attempt] of tries) {
      await expect(attempt(), action).rejects.toMatchObject({ code: 'forbidden' });
      expect(await actions()).toContain(`${action} refused`);
    }
    expect((await getEmergencyStopState(LOCAL_ADMIN)).everywhere).toBe(false);
  });

  it('a panic may be lifted by an admin only', async () => {
    await emergencyStop(OPERATOR, {});
    await expect(clearEmergencyStop(OPERATOR, {})).rejects.toMatchObject({ code: 'forbidden' });
    expect((await clearEmergencyStop(LOCAL_ADMIN, {})).everywhere).toBe(false);
    expect(await actions()).toEqual(expect.arrayContaining(['panic done', 'panic.lift done', 'panic.lift refused']));
  });

  it('whoever is administrator of one instance lifts no stop of another, whatever deletion is named beside it', async () => {
    await on.client.set('a', '1');
    const { id: deletionId } = await makePlan(LOCAL_ADMIN, request(['a']));
    const row = (await getInstanceRow(on.stand.instanceId))!;
    await insertInstanceRow({ ...row, id: 'elsewhere', settings: { ...row.settings, name: 'elsewhere' } });
    await emergencyStop(LOCAL_ADMIN, { instanceId: 'elsewhere' });
    const grants = [{ kind: 'instance', value: on.stand.instanceId, role: 'admin' }] as const;
    const granted: Actor = { id: 'g', name: 'gus', role: 'none', via: 'page', grants };
    const asked = { deletionId, instanceId: 'elsewhere' };
    await expect(clearEmergencyStop(granted, asked)).rejects.toMatchObject({ code: 'not_found' });
    await expect(clearEmergencyStop(granted, { deletionId } as object)).rejects.toMatchObject({ code: 'not_found' });
    expect((await getEmergencyStopState(LOCAL_ADMIN)).instances).toMatchObject([{ instanceId: 'elsewhere' }]);
    await clearEmergencyStop(LOCAL_ADMIN, { instanceId: 'elsewhere' });
  });

  it('the flag file counts, within a quarter of a second', async () => {
    expect(isEmergencyStopped(on.stand.instanceId)).toBe(false);
    writeFileSync(join(on.data.dir, (await getEmergencyStopState(LOCAL_ADMIN)).flagFile), '');
    await new Promise((resolve) => setTimeout(resolve, 250));
    expect(isEmergencyStopped(on.stand.instanceId)).toBe(true);
    expect((await clearEmergencyStop(LOCAL_ADMIN, {})).everywhere).toBe(false);
  });

  it('an instance that is not there is refused, and nothing of it is kept', async () => {
    await expect(emergencyStop(LOCAL_ADMIN, { instanceId: 'nobody' })).rejects.toMatchObject({ code: 'not_found' });
    expect(await getEmergencyStopState(LOCAL_ADMIN)).toMatchObject({ everywhere: false, instances: [] });
    expect(isEmergencyStopped('nobody')).toBe(false);
    // The stop of an instance that was deleted from the list is not listed either.
    await emergencyStop(LOCAL_ADMIN, { instanceId: on.stand.instanceId });
    expect((await getEmergencyStopState(LOCAL_ADMIN)).instances).toHaveLength(1);
    await deleteInstanceRow(on.stand.instanceId);
    expect((await getEmergencyStopState(LOCAL_ADMIN)).instances).toEqual([]);
    await clearEmergencyStop(LOCAL_ADMIN, {});
    expect((await readEmergencyStop()).instances).toEqual({});
  });

  it('stopping one deletion is on record as a panic', async () => {
    await seedLarge(on.client, 'hash', 'big', 20_000);
    const plan = await makePlan(LOCAL_ADMIN, request(['big'], { speed: 'gentle' }));
    const { job } = await confirm(plan.id);
    await emergencyStop(OPERATOR, { deletionId: plan.id });
    await on.stand.until(job?.id ?? '', ['paused']);
    expect(await actions()).toContain('panic done');
  });
});

it('a job says what it is for', async () => {
  await on.client.set('k', 'v');
  const made = await makePlan(LOCAL_ADMIN, request(['k'], { mode: 'quarantine', quarantineHours: 1 }));
  const { job } = await startDeletion(LOCAL_ADMIN, { planId: made.id, confirm: made.phrase, consents: made.consents });
  expect(job).toMatchObject({ kind: 'deletion', purpose: 'quarantine' });
  await on.stand.until(job!.id, ['succeeded']);
  const undo = await undoDeletion(LOCAL_ADMIN, made.id, { restoreExpired: false });
  expect(undo.job).toMatchObject({ kind: 'deletion', purpose: 'restore' });
  await on.stand.until(undo.job!.id, ['succeeded']);
});
