import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { listAudit } from '../../lib/access/audit-log/list-audit';
import { acceptServer } from '../../lib/deletions/accept-server';
import { decideApproval } from '../../lib/deletions/approval/decide-approval';
import { requestApproval } from '../../lib/deletions/approval/request-approval';
import { withdrawApproval } from '../../lib/deletions/approval/withdraw-approval';
import { compareServers } from '../../lib/deletions/compare-servers';
import { getDeletion } from '../../lib/deletions/get-deletion';
import { makePlan } from '../../lib/deletions/make-plan';
import { startDeletion } from '../../lib/deletions/start-deletion';
import { sweepDeletions } from '../../lib/deletions/sweep-deletions';
import { pauseJob } from '../../lib/jobs/pause-job';
import { resumeJob } from '../../lib/jobs/resume-job';
import type { Role } from '../../lib/model/access';
import { type Actor, LOCAL_ADMIN } from '../../lib/model/actor';
import type { DeletionPlan } from '../../lib/model/deletions/deletion-plan';
import { getPlanChangedAt } from '../../lib/model/deletions/plan-changes';
import type { InstanceSettings } from '../../lib/model/servers/instance';
import { endOldAccess } from '../../lib/store/accounts/end-old-access';
import { updateItem } from '../../lib/store/deletions/deletion-items';
import { getStoredDeletion, updateDeletion } from '../../lib/store/deletions/deletions';
import { getInstanceRow, updateInstanceRow } from '../../lib/store/instances';
import { getStoredJob } from '../../lib/store/jobs';
import { runTransaction } from '../../lib/store/open-store';
import { type RedisServer, startRedis } from '../servers/redis';
import { temporaryData } from '../temporary-data';
import { openApart } from './faults/open-apart';
import { insertAccounts } from './insert-accounts';
import type { Stand } from './stand';
import { makeDeletion } from './stand-per-test';

/** A second person approved one plan on one server. What the plan becomes later, that person has not seen. */
const person = (id: string, role: Role = 'operator'): Actor => ({ id, name: id, role, via: 'page' });
const [ada, bob, carl] = [person('ada'), person('bob'), person('carl', 'admin')];
const NAMES = ['cart:1', 'cart:2'];
const readCode = (act: Promise<unknown>) => act.then(() => 'done').catch((error) => error.code ?? String(error));

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
  for (const server of [first, other, third]) {
    await server.client().flushall();
    await server.client().mset('cart:1', 'x', 'cart:2', 'y');
  }
  stand = await openApart(first, { secondPerson: true }, false);
  await insertAccounts([ada, bob, carl]);
});
afterEach(async () => {
  await stand.close();
  await data.remove();
});

async function change(settings: Partial<InstanceSettings>) {
  const row = (await getInstanceRow(stand.instanceId))!;
  await updateInstanceRow({ ...row, settings: { ...row.settings, ...settings } });
}
const pointTo = ({ port }: RedisServer) => change({ endpoints: [{ host: '127.0.0.1', port }] });
const now = async (id: string) => (await getDeletion(ada, id)).plan;
const request = async (by: Actor, id: string) =>
  readCode(
    requestApproval(by, id, { planCreatedAt: getPlanChangedAt(await now(id)), reason: 'Agreed with the shop team.' }),
  );
const decide = async (by: Actor, id: string, planCreatedAt?: number) =>
  readCode(
    decideApproval(by, id, {
      planCreatedAt: planCreatedAt ?? getPlanChangedAt(await now(id)),
      decision: 'approve',
      note: '',
    }),
  );
const confirm = async (by: Actor, planId: string, more: 'production'[] = []) =>
  readCode(startDeletion(by, { planId, confirm: 'stand', consents: [...(await now(planId)).consents, ...more] }));
const accept = async (id: string, by = carl) =>
  acceptServer(by, id, { confirm: 'stand', seen: (await compareServers(by, id)).seen });
const readJob = async (id: string) => (await getDeletion(ada, id)).job!;
async function waitsFor(id: string, code: string) {
  await stand.until((await readJob(id)).id, ['paused']);
  expect((await readJob(id)).reason?.code).toBe(code);
}

/** Ada plans on the first server, bob approves. */
async function approved(options = {}): Promise<DeletionPlan> {
  const plan = await makePlan(ada, makeDeletion(stand.instanceId, NAMES, options));
  expect([await request(ada, plan.id), await decide(bob, plan.id)]).toEqual(['done', 'done']);
  return plan;
}
/** The deletion was started, and stopped before its first key because another server answers. */
async function waitsForServer(): Promise<DeletionPlan> {
  const plan = await approved({ mode: 'unlink' });
  expect(await confirm(ada, plan.id)).toBe('done');
  const { id: job } = await readJob(plan.id);
  await pauseJob(ada, job);
  await pointTo(other);
  await resumeJob(ada, job);
  await stand.runner.start();
  await waitsFor(plan.id, 'other_server');
  return plan;
}

it('an accepted server is approved anew before anything is deleted there', async () => {
  const { id, createdAt } = await waitsForServer();
  const { id: job } = await readJob(id);
  await accept(id);
  await waitsFor(id, 'approval_needed');
  expect(await getDeletion(ada, id)).toMatchObject({ needsApproval: true, approval: null });
  await resumeJob(ada, job);
  await waitsFor(id, 'approval_needed');
  expect(await other.client().exists(...NAMES)).toBe(2);

  expect(await request(carl, id)).toBe('done');
  // Not accepted are the planner, the person who accepted the server, and the earlier approval.
  expect([await decide(ada, id), await decide(carl, id), await decide(bob, id, createdAt)]).toEqual([
    'own_approval',
    'own_approval',
    'conflict',
  ]);
  await resumeJob(ada, job);
  await waitsFor(id, 'approval_needed');
  expect(await decide(bob, id)).toBe('done');
  expect(await getDeletion(ada, id)).toMatchObject({ approval: { state: 'approved', decidedBy: { id: 'bob' } } });
  expect(await other.client().exists(...NAMES)).toBe(2);
  await resumeJob(ada, job);
  await stand.until(job, ['succeeded']);
  expect([await other.client().exists(...NAMES), await first.client().exists(...NAMES)]).toEqual([0, 2]);
  const { rows } = await listAudit(LOCAL_ADMIN);
  const [act] = rows.filter(({ action }) => action === 'deletion.accept_server');
  expect(act?.details).toMatchObject({ approvedBefore: 'bob' });
});

it('a yes that was withdrawn, or is of the server before, lets nothing go on; one that was used lasts', async () => {
  const { id } = await waitsForServer();
  const { id: job } = await readJob(id);
  await accept(id);
  expect([await request(carl, id), await decide(bob, id)]).toEqual(['done', 'done']);
  await withdrawApproval(ada, id);
  await resumeJob(ada, job);
  await waitsFor(id, 'approval_needed');
  // The plan is approved, and the instance points to another server before it goes on.
  expect([await request(carl, id), await decide(bob, id)]).toEqual(['done', 'done']);
  await pointTo(third);
  await resumeJob(ada, job);
  await waitsFor(id, 'other_server');
  expect(await readCode(withdrawApproval(ada, id))).toBe('conflict');
  await accept(id);
  await waitsFor(id, 'approval_needed');
  await resumeJob(ada, job);
  await waitsFor(id, 'approval_needed');
  expect([await request(carl, id), await decide(bob, id)]).toEqual(['done', 'done']);
  await pointTo(other);
  await resumeJob(ada, job);
  await waitsFor(id, 'other_server');
  await pointTo(third);
  const { approval } = (await getStoredDeletion(id))!;
  await updateDeletion(id, { approval: { ...approval!, expiresAt: 1 } });
  await resumeJob(ada, job);
  await stand.until(job, ['succeeded']);
  expect([await third.client().exists(...NAMES), await other.client().exists(...NAMES)]).toEqual([0, 2]);
});

it('what is quarantined there is not purged; what is undone there needs nobody', async () => {
  const { id } = await approved({ mode: 'quarantine', quarantineHours: 1, afterQuarantine: 'unlink' });
  expect(await confirm(ada, id)).toBe('done');
  await stand.runner.start();
  await stand.until((await readJob(id)).id, ['succeeded']);
  await pointTo(other);
  await accept(id);
  for (const { seq, journal } of await stand.items(id))
    await updateItem(id, seq, { undoUntil: 1, journal: { ...(journal as object), purgeAt: 1 } });
  await sweepDeletions();
  await waitsFor(id, 'approval_needed');
  const purge = await readJob(id);
  expect((await getStoredJob(purge.id))?.params).toMatchObject({ action: 'purge' });
  expect(await getDeletion(ada, id)).toMatchObject({ needsApproval: true });

  const undo = await stand.start(id, 'undo');
  await stand.until(undo, ['succeeded', 'failed']);
  expect((await getStoredJob(undo))?.job.reason).toBeNull();
});

it('an instance that is marked production since is approved anew before its consent counts', async () => {
  const { id } = await approved({ mode: 'unlink' });
  expect(await confirm(ada, id)).toBe('done');
  const { id: job } = await readJob(id);
  await change({ production: true });
  await stand.runner.start();
  await waitsFor(id, 'consent_missing');
  expect(await getDeletion(ada, id)).toMatchObject({ needsApproval: true, approval: null, missing: ['production'] });
  expect(await confirm(ada, id, ['production'])).toBe('approval_needed');
  expect([await request(ada, id), await decide(bob, id)]).toEqual(['done', 'done']);
  expect(await first.client().exists(...NAMES)).toBe(2);
  expect(await confirm(ada, id, ['production'])).toBe('done');
  await stand.until(job, ['succeeded']);
});

it('also when it is marked between the yes and the start', async () => {
  const { id } = await approved({ mode: 'unlink' });
  await change({ production: true });
  expect(await confirm(ada, id, ['production'])).toBe('approval_needed');
  expect(await getDeletion(ada, id)).toMatchObject({ needsApproval: true, approval: null });
  expect([await request(ada, id), await decide(bob, id)]).toEqual(['done', 'done']);
  expect(await confirm(ada, id, ['production'])).toBe('done');
});

it('in a store that was put back, what was approved anew counts no more', async () => {
  const { id } = await approved({ mode: 'unlink' });
  expect(await confirm(ada, id)).toBe('done');
  await change({ production: true });
  await stand.runner.start();
  await waitsFor(id, 'consent_missing');
  expect([await request(ada, id), await decide(bob, id)]).toEqual(['done', 'done']);
  expect((await runTransaction((tx) => endOldAccess({ tokens: false }, tx))).approvals).toBe(1);
  expect(await confirm(ada, id, ['production'])).toBe('approval_needed');
  expect(await first.client().exists(...NAMES)).toBe(2);
});
