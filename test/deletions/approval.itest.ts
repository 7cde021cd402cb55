import { beforeEach, expect, it } from 'vitest';
import { listAudit } from '../../lib/access/audit-log/list-audit';
import { decideApproval } from '../../lib/deletions/approval/decide-approval';
import { requestApproval } from '../../lib/deletions/approval/request-approval';
import { withdrawApproval } from '../../lib/deletions/approval/withdraw-approval';
import { discardPlan, sweepPlans } from '../../lib/deletions/discard-plan';
import { getDeletion } from '../../lib/deletions/get-deletion';
import { makePlan } from '../../lib/deletions/make-plan';
import { startDeletion } from '../../lib/deletions/start-deletion';
import type { Role } from '../../lib/model/access';
import { type Actor, LOCAL_ADMIN } from '../../lib/model/actor';
import type { DeletionPlan } from '../../lib/model/deletions/deletion-plan';
import { updateUserRow } from '../../lib/store/accounts/users';
import { getStoredDeletion, updateDeletion } from '../../lib/store/deletions/deletions';
import { getInstanceRow, updateInstanceRow } from '../../lib/store/instances';
import { runTransaction } from '../../lib/store/open-store';
import { insertAccounts } from './insert-accounts';
import { makeDeletion, standPerTest } from './stand-per-test';

/** Real plans on a real server, and who may approve them. */
const on = standPerTest();
const person = (id: string, role: Role = 'operator'): Actor => ({ id, name: id, role, via: 'page' });
const [ada, bob, carl, vera] = [person('ada'), person('bob'), person('carl'), person('vera', 'viewer')];
const REASON = 'Old carts, agreed with the shop team.';
const readCode = (act: Promise<unknown>) => act.then(() => 'done').catch((error) => error.code ?? String(error));

async function ask(settings: { secondPerson: boolean }) {
  const row = await getInstanceRow(on.stand.instanceId);
  await updateInstanceRow({ ...row!, settings: { ...row!.settings, ...settings } });
}
const plan = (names = ['cart:1', 'cart:2'], by = ada) => makePlan(by, makeDeletion(on.stand.instanceId, names));
const request = (by: Actor, { id, createdAt }: DeletionPlan, reason = REASON) =>
  readCode(requestApproval(by, id, { planCreatedAt: createdAt, reason }));
const decide = (by: Actor, { id, createdAt }: DeletionPlan, decision: 'approve' | 'reject' = 'approve') =>
  readCode(decideApproval(by, id, { planCreatedAt: createdAt, decision, note: '' }));
const start = (by: Actor, { id }: DeletionPlan) =>
  readCode(startDeletion(by, { planId: id, confirm: 'stand', consents: [] }));
const readApproval = async ({ id }: DeletionPlan) => (await getDeletion(vera, id)).approval;
/** Makes the plan look as if its keys had been read an hour ago. */
async function grow({ id }: DeletionPlan) {
  const { plan: now } = (await getStoredDeletion(id))!;
  await updateDeletion(id, { plan: { ...now, lookedAt: now.lookedAt - 3_600_000 } });
}

beforeEach(async () => {
  await on.client.mset('cart:1', 'x', 'cart:2', 'y');
  await ask({ secondPerson: true });
  await insertAccounts([ada, bob, carl, vera]);
});

it('one plans and asks, another approves, then it runs; all four acts are on record', async () => {
  const made = await plan();
  expect(await getDeletion(vera, made.id)).toMatchObject({ needsApproval: true, approval: null });
  expect(await start(ada, made)).toBe('approval_needed');
  expect(await request(ada, made)).toBe('done');
  expect(await start(ada, made)).toBe('approval_needed');
  expect(await decide(bob, made)).toBe('done');
  expect(await readApproval(made)).toMatchObject({
    state: 'approved',
    reason: REASON,
    requestedBy: { id: 'ada' },
    decidedBy: { id: 'bob' },
  });
  const { job } = await startDeletion(ada, { planId: made.id, confirm: 'stand', consents: [] });
  await on.stand.until(job!.id, ['succeeded']);
  expect(await on.client.exists('cart:1', 'cart:2')).toBe(0);
  const { rows } = await listAudit(LOCAL_ADMIN);
  const acts = rows.filter(({ subject }) => subject === made.id).map((row) => [row.actor, row.action, row.outcome]);
  expect(acts.toReversed()).toEqual([
    ['ada', 'deletion.plan', 'done'],
    ['ada', 'deletion.request_approval', 'done'],
    ['bob', 'deletion.approve', 'done'],
    ['ada', 'deletion.start', 'intent'],
  ]);
  // The approval stays visible afterwards, because it shows who agreed to the deletion.
  expect(await getDeletion(vera, made.id)).toMatchObject({ needsApproval: false, approval: { state: 'approved' } });
});

it('nobody approves what they planned or asked for, whatever their role', async () => {
  const made = await plan();
  expect(await request(bob, made)).toBe('done');
  expect([await decide(ada, made), await decide(bob, made)]).toEqual(['own_approval', 'own_approval']);
  expect(await decide({ ...ada, role: 'admin' }, made)).toBe('own_approval');
  const [refused] = (await listAudit(LOCAL_ADMIN)).rows;
  expect(refused).toMatchObject({ action: 'deletion.approve', outcome: 'refused', actor: 'ada' });
  expect(await decide(vera, made)).toBe('forbidden');
  expect(await decide({ ...carl, tokenId: 't' }, made)).toBe('person_needed');
  expect(await readApproval(made)).toMatchObject({ state: 'requested' });
  // The same person, identified by a token.
  const again = await plan(['cart:1'], { ...ada, name: 'ada (token ci)', tokenId: 't', via: 'token' });
  expect(await request({ ...ada, name: 'ada (token ci)', tokenId: 't' }, again)).toBe('done');
  expect(await decide(ada, again)).toBe('own_approval');
  expect(await decide(carl, made)).toBe('done');
});

it('an approval is for the plan that was seen: made anew, it counts no more', async () => {
  const made = await plan();
  await request(ada, made);
  expect(await decide(bob, { ...made, createdAt: made.createdAt - 1 })).toBe('conflict');
  expect(await decide(bob, made)).toBe('done');
  await on.client.set('cart:2', 'much longer than it was when somebody looked at it');
  await grow(made);
  expect(await start(ada, made)).toBe('plan_outdated');
  expect(await readApproval(made)).toBeNull();
  expect(await start(ada, made)).toBe('approval_needed');
  expect(await decide(bob, made)).toBe('conflict');
  const { plan: anew } = await getDeletion(ada, made.id);
  expect([await request(ada, anew), await decide(bob, anew), await start(ada, anew)]).toEqual(['done', 'done', 'done']);
});

it('looked at again and unchanged, it stays approved', async () => {
  const made = await plan();
  await request(ada, made);
  await decide(bob, made);
  await grow(made);
  expect(await start(bob, made)).toBe('done');
});

it('rejected, withdrawn or too old: it does not run', async () => {
  const made = await plan();
  await request(ada, made);
  expect(await decide(bob, made, 'reject')).toBe('done');
  expect(await start(ada, made)).toBe('approval_needed');
  expect(await decide(carl, made)).toBe('conflict');
  expect(await request(ada, made, 'Asked the shop team once more.')).toBe('done');
  expect(await request(bob, made)).toBe('conflict');
  expect(await decide(carl, made)).toBe('done');
  await withdrawApproval(bob, made.id);
  expect(await start(ada, made)).toBe('approval_needed');
  expect(await readCode(withdrawApproval(bob, made.id))).toBe('conflict');
  await request(ada, made);
  await decide(carl, made);
  const { approval } = (await getStoredDeletion(made.id))!;
  await updateDeletion(made.id, { approval: { ...approval!, expiresAt: Date.now() - 1 } });
  expect([await readApproval(made), await start(ada, made)]).toEqual([null, 'approval_needed']);
  // The person who requested the approval may reject the plan.
  await request(ada, made);
  expect(await decide(ada, made, 'reject')).toBe('done');
});

it('a row that a hand has changed opens nothing', async () => {
  const made = await plan();
  await request(ada, made);
  const { approval } = (await getStoredDeletion(made.id))!;
  const forged = { ...approval!, state: 'approved' as const, decidedBy: { id: 'ada', name: 'bob' }, decidedAt: 1 };
  await updateDeletion(made.id, { approval: forged });
  expect(await start(ada, made)).toBe('approval_needed');
});

it('counts as the instance is marked when it starts', async () => {
  await ask({ secondPerson: false });
  const made = await plan();
  expect(await request(ada, made)).toBe('unsupported');
  await ask({ secondPerson: true });
  expect(await start(ada, made)).toBe('approval_needed');
  await ask({ secondPerson: false });
  expect(await start(ada, made)).toBe('done');
  expect(await request(ada, made)).toBe('conflict');
});

it('two answers at the same time are one, and so are a yes and a start', async () => {
  const made = await plan();
  await request(ada, made);
  const both = await Promise.all([decide(bob, made), decide(carl, made, 'reject')]);
  expect(both.toSorted()).toEqual(['conflict', 'done']);
  const other = await plan(['cart:1']);
  await request(ada, other);
  await decide(bob, other);
  const [started, withdrawn] = await Promise.all([start(ada, other), readCode(withdrawApproval(bob, other.id))]);
  expect([started, withdrawn]).toContainEqual('done');
  expect((await getStoredDeletion(other.id))!.state === 'started').toBe(started === 'done');
});

it('keeps a plan for a day after somebody asked, then both end on record', async () => {
  const made = await plan();
  const hour = 3_600_000;
  await request(ada, made);
  const late = { ...(await getStoredDeletion(made.id))!.approval!, expiresAt: Date.now() + 30 * hour };
  await updateDeletion(made.id, { approval: late });
  await sweepPlans(Date.now() + 25 * hour);
  expect(await getStoredDeletion(made.id)).not.toBeNull();
  await sweepPlans(Date.now() + 31 * hour);
  expect(await getStoredDeletion(made.id)).toBeNull();
  expect((await listAudit(LOCAL_ADMIN)).rows[0]).toMatchObject({
    action: 'deletion.expire_approval',
    actor: 'engine',
  });
});

it('a plan that was discarded can be approved by nobody', async () => {
  const made = await plan();
  await request(ada, made);
  await discardPlan(ada, made.id);
  expect([await decide(bob, made), await request(ada, made)]).toEqual(['not_found', 'not_found']);
});

it.each([
  ['is disabled', { disabled: true }],
  ['is a viewer', { role: 'viewer' }],
] as const)(
  'the approval of somebody who %s meanwhile starts nothing, and another one may be asked',
  async (_, change) => {
    const made = await plan();
    await request(ada, made);
    expect(await decide(bob, made)).toBe('done');
    await runTransaction((tx) => updateUserRow('bob', change, tx));
    expect(await start(ada, made)).toBe('approval_needed');
    expect(await request(ada, made)).toBe('done');
    expect(await decide(carl, made)).toBe('done');
    expect(await start(ada, made)).toBe('done');
  },
);
