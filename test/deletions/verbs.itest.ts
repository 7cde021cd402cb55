import { describe, expect, it } from 'vitest';
import { clearEmergencyStopFile, writeEmergencyStopFile } from '@/lib/deletions/emergency-stop-file';
import { clearEmergencyStop, emergencyStop } from '@/lib/deletions/emergency-stop-verbs';
import { listAudit } from '../../lib/access/audit-log/list-audit';
import { getDeletion } from '../../lib/deletions/get-deletion';
import { makePlan } from '../../lib/deletions/make-plan';
import { startDeletion } from '../../lib/deletions/start-deletion';
import { undoDeletion } from '../../lib/deletions/undo-deletion';
import { type Actor, LOCAL_ADMIN } from '../../lib/model/actor';
import { PlanRequest } from '../../lib/model/deletions/plan-request';
import { getInstanceRow, updateInstanceRow } from '../../lib/store/instances';
import { sleep } from '../servers/process';
import { computeDigest, digestOfAll } from './digest';
import { holdMidway } from './faults/hold-midway';
import { findLeftovers } from './find-leftovers';
import { ROUND_BYTES_EACH, seedLarge } from './seed-large';
import { breakableLine, firstPage, makeDeletion, standPerTest, toKeys } from './stand-per-test';

const VIEWER: Actor = { id: 'v', name: 'vera', role: 'viewer', via: 'page' };
const on = standPerTest();

const request = (names: string[], more: Record<string, unknown> = {}) => makeDeletion(on.stand.instanceId, names, more);

describe('a plan', () => {
  it('looks, freezes, and changes nothing', async () => {
    await seedLarge(on.client, 'hash', 'big', 20_000);
    await on.client.set('small', 'x', 'PX', 30_000);
    const before = await digestOfAll(on.client);
    const plan = await makePlan(LOCAL_ADMIN, request(['big', 'small', 'gone']));
    expect(plan.totals).toMatchObject({ keys: 2, instanceKeys: 2, byMode: [{ mode: 'archive', keys: 2 }] });
    expect(plan.excluded).toEqual([{ reason: { code: 'gone', params: {} }, keys: 1, examples: ['gone'] }]);
    expect(plan.hazards.map(({ hazard }) => hazard)).toContain('expires_soon');
    const { serverMs, measuredOn } = plan.estimate;
    expect(serverMs!.from).toBeGreaterThan(1);
    expect(serverMs!.to).toBeGreaterThan(serverMs!.from);
    expect(measuredOn).toBe(0);
    expect(plan.commands.join()).toContain('HDEL');
    const { items, total } = await firstPage(plan.id);
    expect(total).toBe(2);
    expect(items[0]).toMatchObject({ name: 'big', type: 'hash', length: 20_000, state: 'planned', mode: 'archive' });
    expect(await digestOfAll(on.client)).toBe(before);
  });

  it('refuses a viewer, keeps the attempt on record', async () => {
    await on.client.set('a', '1');
    await expect(makePlan(VIEWER, request(['a']))).rejects.toMatchObject({ code: 'forbidden' });
    expect((await listAudit(LOCAL_ADMIN)).rows[0]).toMatchObject({ action: 'deletion.plan', outcome: 'refused' });
  });

  it('of nothing is refused', async () => {
    await expect(makePlan(LOCAL_ADMIN, request(['gone']))).rejects.toMatchObject({ code: 'nothing_to_do' });
  });

  it('leaves protected names out', async () => {
    process.env.COLONNADE_PROTECT = 'session:*,*:lock';
    try {
      await on.client.mset('session:1', 'x', 'job:lock', 'x', 'free', 'x');
      const plan = await makePlan(LOCAL_ADMIN, request(['session:1', 'job:lock', 'free']));
      expect(plan.totals.keys).toBe(1);
      expect(plan.excluded).toMatchObject([{ reason: { code: 'protected' }, keys: 2 }]);
    } finally {
      delete process.env.COLONNADE_PROTECT;
    }
  });
});

describe('a decision', () => {
  it('asks for the name, the consents and a writable instance; then acts, once', async () => {
    await seedLarge(on.client, 'set', 'big', 2_000);
    const plan = await makePlan(LOCAL_ADMIN, request(['big'], { mode: 'unlink' }));
    const confirm = (more: object) =>
      startDeletion(LOCAL_ADMIN, { planId: plan.id, confirm: 'stand', consents: ['no_undo'], ...more });
    await expect(confirm({ confirm: 'Stand' })).rejects.toMatchObject({ code: 'wrong_phrase' });
    await expect(confirm({ consents: [] })).rejects.toMatchObject({
      code: 'consent_missing',
      details: { missing: ['no_undo'] },
    });
    await expect(
      startDeletion(VIEWER, { planId: plan.id, confirm: 'stand', consents: ['no_undo'] }),
    ).rejects.toMatchObject({ code: 'forbidden' });
    const row = await getInstanceRow(on.stand.instanceId);
    if (!row) throw new Error('no instance');
    await updateInstanceRow({ ...row, settings: { ...row.settings, readOnly: true } });
    await expect(confirm({})).rejects.toMatchObject({ code: 'read_only' });
    await updateInstanceRow({ ...row, settings: { ...row.settings, readOnly: false } });
    expect(await on.client.exists('big')).toBe(1);

    const [first, second] = await Promise.allSettled([confirm({}), confirm({})]);
    expect([first?.status, second?.status].sort()).toEqual(['fulfilled', 'rejected']);
    const { job } = await getDeletion(LOCAL_ADMIN, plan.id);
    await on.stand.until(job?.id ?? '', ['succeeded']);
    expect(await on.client.dbsize()).toBe(0);
    expect(await getDeletion(LOCAL_ADMIN, plan.id)).toMatchObject({ state: 'done', counts: { done: 1 }, undoable: 0 });
    const { rows } = await listAudit(LOCAL_ADMIN);
    expect(rows.map((audit) => [audit.action, audit.outcome])).toContainEqual(['deletion.start', 'intent']);
    await expect(undoDeletion(LOCAL_ADMIN, plan.id, { restoreExpired: false })).rejects.toMatchObject({
      code: 'nothing_to_do',
    });
  });

  it('stops at once in panic, and goes on when that is lifted', async () => {
    const proxy = await breakableLine(on);
    await seedLarge(on.client, 'hash', 'big', 1_350, ROUND_BYTES_EACH);
    const digest = () => computeDigest(on.client, 'big');
    const before = await digest();
    const plan = await makePlan(LOCAL_ADMIN, request(['big'], { speed: 'gentle' }));
    const item = async () => (await on.stand.items(plan.id))[0]!;
    const { held, started } = await holdMidway({ proxy, word: 'HDEL', item }, () =>
      startDeletion(LOCAL_ADMIN, { planId: plan.id, confirm: 'stand', consents: [] }),
    );
    const { job } = started;
    await emergencyStop(LOCAL_ADMIN, {});
    // The executor checks for requests twice a second.
    await sleep(1000);
    held.release();
    await on.stand.until(job?.id ?? '', ['paused']);
    const left = await on.client.keys('*');
    expect(left).toHaveLength(1);
    const rest = await on.client.hlen(left[0] ?? '');
    expect(rest).toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await on.client.hlen(left[0] ?? '')).toBe(rest);
    await expect(undoDeletion(LOCAL_ADMIN, plan.id, { restoreExpired: false })).rejects.toMatchObject({
      code: 'panic',
    });
    expect((await findLeftovers(on.stand.instanceId))[0]).toMatchObject({
      kind: 'tombstone',
      owned: true,
      original: 'big',
    });
    await clearEmergencyStop(LOCAL_ADMIN, {});
    // The key was half deleted and is restored completely.
    const undo = await undoDeletion(LOCAL_ADMIN, plan.id, { restoreExpired: false });
    await on.stand.until(undo.job?.id ?? '', ['succeeded']);
    expect(await digest()).toBe(before);
    expect(await on.client.keys('*')).toEqual(['big']);
    expect(await findLeftovers(on.stand.instanceId)).toEqual([]);
  });
});

describe('the flag file', () => {
  it('stops everything without a server or a database, and is lifted', async () => {
    await on.client.set('a', '1');
    const plan = await makePlan(LOCAL_ADMIN, request(['a']));
    writeEmergencyStopFile();
    await expect(startDeletion(LOCAL_ADMIN, { planId: plan.id, confirm: 'stand', consents: [] })).rejects.toMatchObject(
      {
        code: 'panic',
      },
    );
    expect(clearEmergencyStopFile()).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 250));
    const { job } = await startDeletion(LOCAL_ADMIN, { planId: plan.id, confirm: 'stand', consents: [] });
    await on.stand.until(job?.id ?? '', ['succeeded']);
    expect(await on.client.exists('a')).toBe(0);
  });
});

describe('expiries', () => {
  it('are spread over a window, only where none is, and taken back', async () => {
    const names = Array.from({ length: 100 }, (_, i) => `k:${i}`);
    await on.client.mset(names.flatMap((name) => [name, 'v']));
    await on.client.set('has', 'one', 'PX', 5_000_000);
    const plan = await makePlan(
      LOCAL_ADMIN,
      PlanRequest.parse({
        task: 'expire',
        instanceId: on.stand.instanceId,
        selection: { by: 'keys', keys: toKeys(...names, 'has') },
        options: { speed: 'fast', fromSeconds: 3600, windowSeconds: 36_000 },
      }),
    );
    expect(plan.excluded).toMatchObject([{ reason: { code: 'has_expiry' }, keys: 1 }]);
    const { job } = await startDeletion(LOCAL_ADMIN, { planId: plan.id, confirm: 'stand', consents: [] });
    await on.stand.until(job?.id ?? '', ['succeeded']);
    const ttls = await Promise.all(names.map((name) => on.client.pttl(name)));
    expect(Math.min(...ttls)).toBeGreaterThan(3_590_000);
    expect(Math.max(...ttls)).toBeLessThan(39_600_000);
    expect(new Set(ttls.map((ttl) => Math.floor(ttl / 3_600_000))).size).toBeGreaterThan(8);
    await on.client.persist('k:7');
    const undo = await undoDeletion(LOCAL_ADMIN, plan.id, { restoreExpired: false });
    await on.stand.until(undo.job?.id ?? '', ['succeeded']);
    expect((await Promise.all(names.map((name) => on.client.pttl(name)))).every((ttl) => ttl === -1)).toBe(true);
    expect(await on.client.pttl('has')).toBeGreaterThan(4_000_000);
  });
});
