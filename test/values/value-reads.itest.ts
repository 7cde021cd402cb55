import { expect, it } from 'vitest';
import { listAudit } from '../../lib/access/audit-log/list-audit';
import { addUser, updateUser } from '../../lib/access/users/manage-users';
import { createToken, revokeToken } from '../../lib/access/users/tokens';
import { exportArchive } from '../../lib/deletions/export/export-archive';
import { makePlan } from '../../lib/deletions/make-plan';
import { startDeletion } from '../../lib/deletions/start-deletion';
import { previewLiveKey, readLiveKey } from '../../lib/instances/read-live-key';
import { updateInstance } from '../../lib/instances/update-instance';
import { createRunner } from '../../lib/jobs/loop/runner';
import type { UserUpdate } from '../../lib/model/accounts/accounts';
import { type Actor, LOCAL_ADMIN } from '../../lib/model/actor';
import { encodeKey } from '../../lib/model/keys/key-id';
import { ScanOptions } from '../../lib/model/snapshots/scan';
import { scanKind } from '../../lib/scans/scan-kind';
import { startScan } from '../../lib/scans/start-scan';
import { makeDeletion, standPerTest } from '../deletions/stand-per-test';

const OPERATOR: Actor = { id: 'o', name: 'otto', role: 'operator', via: 'page' };
const VIEWER: Actor = { id: 'v', name: 'vera', role: 'viewer', via: 'page' };
const SECRET = 'canary-41aa-of-a-value';
const WHY = 'Ticket 4711: the cart shows the wrong price.';
const on = standPerTest();

/** The three ways in which bytes of values leave an instance. */
const ways = (deletionId: string) => ({
  'value.preview': (actor: Actor, reason: string | null) =>
    previewLiveKey(actor, on.stand.instanceId, { k: encodeKey(Buffer.from('cart:1')), db: 0, reason }),
  'value.export': async (actor: Actor, reason: string | null) => {
    const { stream } = await exportArchive(actor, deletionId, { seq: null, reason });
    return new Response(stream).text();
  },
  'value.sample': (actor: Actor, reason: string | null) =>
    startScan(actor, on.stand.instanceId, { ...ScanOptions.parse({ values: 10 }), valuesReason: reason }),
});

async function archived(): Promise<string> {
  await on.client.hset('cart:gone', 'f', SECRET);
  const plan = await makePlan(LOCAL_ADMIN, makeDeletion(on.stand.instanceId, ['cart:gone']));
  const { job } = await startDeletion(LOCAL_ADMIN, { planId: plan.id, confirm: 'stand', consents: [] });
  await on.stand.until(job?.id ?? '', ['succeeded']);
  return plan.id;
}
const readRows = async (action: string) =>
  (await listAudit(LOCAL_ADMIN, {})).rows.filter((row) => row.action === action);
const refusal = (act: Promise<unknown>) =>
  act.then((answer) => `gave ${JSON.stringify(answer)}`).catch((error) => error.code as string);
type Marks = Record<string, boolean>;
const mark = (set: Marks) => updateInstance(LOCAL_ADMIN, on.stand.instanceId, set);

it('values are read by whoever may, each time on record, on production with a reason only', async () => {
  await on.client.set('cart:1', SECRET);
  const deletionId = await archived();
  for (const [action, read] of Object.entries(ways(deletionId))) {
    await mark({ production: false, valuesForbidden: false });
    const asked = async (actor: Actor, reason: string | null) => {
      const answer = await refusal(read(actor, reason));
      const [row] = await readRows(action);
      return { answer, row };
    };
    // A viewer gets facts but no bytes, whatever the reason.
    expect((await asked(VIEWER, WHY)).answer, action).toBe('forbidden');
    const plain = await asked(OPERATOR, null);
    expect(plain.answer, action).toMatch(/^gave/);
    if (action !== 'value.sample') expect(plain.answer).toContain(SECRET);
    expect(plain.row).toMatchObject({ actor: 'otto', outcome: 'done', instanceId: on.stand.instanceId });
    expect(plain.row?.details).toMatchObject({ reason: null, production: false });

    await mark({ production: true });
    for (const nothing of [null, '', '  ', 'x']) {
      const { answer, row } = await asked(OPERATOR, nothing);
      expect(answer, `${action} ${nothing}`).toBe('reason_needed');
      expect(row).toMatchObject({ outcome: 'refused', details: { refusal: 'reason_needed' } });
    }
    // Administrators need a reason too.
    expect((await asked(LOCAL_ADMIN, null)).answer).toBe('reason_needed');
    const before = (await readRows(action)).length;
    if (action === 'value.sample') {
      // One scan is running, so the request was permitted and then refused as a second scan; nothing about it is
      // recorded.
      expect((await asked(OPERATOR, WHY)).answer).toBe('job_running');
      expect(await readRows(action)).toHaveLength(before);
    } else {
      expect((await asked(OPERATOR, WHY)).answer).toContain(SECRET);
      const { row } = await asked(OPERATOR, WHY);
      expect(row).toMatchObject({ outcome: 'done', details: { reason: WHY, production: true } });
      expect(await readRows(action)).toHaveLength(before + 2);
    }

    await mark({ valuesForbidden: true });
    for (const actor of [OPERATOR, LOCAL_ADMIN]) {
      const { answer, row } = await asked(actor, WHY);
      expect(answer, action).toBe('values_forbidden');
      expect(row).toMatchObject({ outcome: 'refused', details: { refusal: 'values_forbidden' } });
    }
  }
  const key = encodeKey(Buffer.from('cart:1'));
  const facts = await readLiveKey(VIEWER, on.stand.instanceId, key, 0);
  expect(facts).toMatchObject({ exists: true, type: 'string', preview: null });
  expect(JSON.stringify([facts, (await listAudit(LOCAL_ADMIN, {})).rows])).not.toContain(SECRET);
});

it('the row of a reading names the key, also one that is no text or very long', async () => {
  const { 'value.preview': _, ...rest } = ways('');
  expect(Object.keys(rest)).toHaveLength(2);
  const read = (key: Buffer) =>
    previewLiveKey(OPERATOR, on.stand.instanceId, { k: encodeKey(key), db: 0, reason: null });
  await read(Buffer.from('plain'));
  expect((await readRows('value.preview'))[0]).toMatchObject({ subject: 'plain', details: { db: 0 } });
  await read(Buffer.from([0x61, 0xff]));
  const [bytes] = await readRows('value.preview');
  expect(bytes?.subject).toBe('a\\xff');
  expect(bytes?.details.sha256).toMatch(/^[0-9a-f]{64}$/);
  await read(Buffer.alloc(50_000, 'k'));
  const [long] = await readRows('value.preview');
  expect(long?.subject).toHaveLength(301);
  expect(long?.details.sha256).toMatch(/^[0-9a-f]{64}$/);
});

/** Starts a scan that is released after something has changed; returns how many values it read. */
async function sampled(
  reason: string | null,
  { by, set = {}, meanwhile = async () => {} }: { by: Actor; set?: Marks; meanwhile?: () => Promise<unknown> },
): Promise<string> {
  await on.client.set('cart:1', SECRET);
  await on.client.config('RESETSTAT');
  await mark({ production: false, valuesForbidden: false });
  const options = ScanOptions.parse({ values: 10, valuesReason: reason, speed: 'fast' });
  const { id } = await startScan(by, on.stand.instanceId, options);
  await mark(set);
  await meanwhile();
  const runner = createRunner({ kinds: [scanKind as never], concurrency: 1, tickMs: 50, pollMs: 50 });
  await runner.start();
  await on.stand.until(id, ['succeeded']);
  await runner.stop();
  return /cmdstat_getrange:calls=(\d+)/.exec(await on.client.info('commandstats'))?.[1] ?? '0';
}
async function person(): Promise<Actor> {
  const { user } = await addUser(LOCAL_ADMIN, { name: 'otto', role: 'operator', grants: [] });
  return { ...OPERATOR, id: user.id };
}

it('a scan that was allowed to sample values asks again right before, and reads none when that has been forbidden', async () => {
  const by = await person();
  expect(await sampled(WHY, { by, set: { valuesForbidden: true } })).toBe('0');
  expect(await sampled(null, { by, set: { production: true } })).toBe('0');
  expect(await sampled(WHY, { by, set: { production: true } })).toBe('1');
});

it('nor for somebody who may not read values any more, by themselves or by the token that began it', async () => {
  const by = await person();
  const change = (to: UserUpdate) => () => updateUser(LOCAL_ADMIN, by.id, to);
  expect(await sampled(null, { by, meanwhile: change({ disabled: true }) })).toBe('0');
  await change({ disabled: false })();
  const { token } = await createToken(LOCAL_ADMIN, { name: 'ci', role: 'operator', grants: [], days: 9 }, by.id);
  const ci: Actor = { ...by, name: 'otto (token ci)', via: 'token', tokenId: token.id };
  expect(await sampled(null, { by: ci, meanwhile: () => revokeToken(LOCAL_ADMIN, token.id) })).toBe('0');
  expect(await sampled(null, { by, meanwhile: change({ role: 'viewer' }) })).toBe('0');
  const grants = [{ kind: 'instance', value: on.stand.instanceId, role: 'operator' }] as const;
  expect(await sampled(null, { by: { ...by, grants }, meanwhile: change({ grants: [...grants] }) })).toBe('1');
});

it('an export that lasts ends when its instance leaves what its reader is granted, or forbids it', async () => {
  const deletionId = await archived();
  const granted: Actor = { ...OPERATOR, role: 'none', grants: [{ kind: 'tag', value: 'pay', role: 'operator' }] };
  const tag = (tags: string[]) => updateInstance(LOCAL_ADMIN, on.stand.instanceId, { tags });
  await tag(['pay']);
  const { stream, stillAllowed } = await exportArchive(granted, deletionId, { seq: null, reason: null });
  expect(await stillAllowed()).toBe(true);
  await tag([]);
  expect(await stillAllowed()).toBe(false);
  await tag(['pay']);
  expect(await stillAllowed()).toBe(true);
  for (const set of [{ valuesForbidden: true }, { production: true }] as Marks[]) {
    await mark({ production: false, valuesForbidden: false, ...set });
    expect(await stillAllowed(), JSON.stringify(set)).toBe(false);
  }
  await stream.cancel();
});
