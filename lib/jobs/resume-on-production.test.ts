import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { findApiTokenActor } from '@/lib/access/auth/api-tokens';
import { findSessionActor } from '@/lib/access/auth/sessions';
import { addUser } from '@/lib/access/users/manage-users';
import { confirmSignIn } from '@/lib/access/users/own-password';
import { createToken } from '@/lib/access/users/tokens';
import { useLink as openLink } from '@/lib/access/users/use-link';
import { deletionKind } from '@/lib/deletions/deletion-kind';
import { clearEmergencyStop, emergencyStop } from '@/lib/deletions/emergency-stop-verbs';
import { registerInstance } from '@/lib/instances/register-instance';
import { type Actor, LOCAL_ADMIN } from '@/lib/model/actor';
import { InstanceInput } from '@/lib/model/servers/instance';
import { confirmSessionRow } from '@/lib/store/accounts/sessions';
import { getStoredJob, updateJob } from '@/lib/store/jobs';
import { runTransaction } from '@/lib/store/open-store';
import { temporaryData } from '@/test/temporary-data';
import { createJob } from './create-job';
import { parkRestoredJobs } from './loop/park-restored-jobs';
import { pauseJob } from './pause-job';
import { resumeJob } from './resume-job';

/** Resuming a deletion on production requires the same confirmation as starting it, for every reason why it stopped. */
const PASSWORD = 'correct horse battery';
const from = { address: '10.0.0.1', agent: 'test' };
const readCode = (act: Promise<unknown>) => act.then(() => 'done').catch((error) => error.code);

let data: ReturnType<typeof temporaryData>;
let ada: Actor;
let program: Actor;
let ids = { shop: '', test: '' };

async function register(name: string, production: boolean): Promise<string> {
  const input = {
    name,
    topology: 'standalone',
    endpoints: [{ host: '127.0.0.1', port: production ? 1 : 2 }],
    production,
  };
  return (await registerInstance(LOCAL_ADMIN, InstanceInput.parse({ ...input, readOnly: false }))).id;
}
/** Sets the last confirmation of the password to `ms` ago. */
const age = (ms: number) => runTransaction((tx) => confirmSessionRow(ada.sessionId!, Date.now() - ms, tx));
const queue = async (instanceId: string, params: unknown, kind = 'deletion') =>
  (await createJob(LOCAL_ADMIN, { kind, instanceId, instanceName: 'x', speed: 'gentle', params })).id;
const deletion = (instanceId: string, action = 'run') => queue(instanceId, { deletionId: 'd1', action });
const readState = async (id: string) => (await getStoredJob(id))?.job;

beforeEach(async () => {
  data = temporaryData();
  vi.stubEnv('COLONNADE_SINGLE_USER', '');
  const { link } = await addUser(LOCAL_ADMIN, { name: 'ada', role: 'operator', grants: [] });
  const session = await openLink({ token: link.token, password: PASSWORD }, from);
  ada = (await findSessionActor(session, { via: 'page', use: true }))!;
  const { secret } = await createToken(ada, { name: 'ci', role: 'operator', grants: [], days: 1 });
  program = (await findApiTokenActor(secret, { address: '10.0.0.2', use: true }))!;
  ids = { shop: await register('shop', true), test: await register('test', false) };
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await data.remove();
});

/**
 * Checks that neither an old session nor a token can resume the job, and that it can be resumed after the password was
 * entered again.
 */
async function asksAgain(job: string, reason: string | null) {
  expect(await readState(job)).toMatchObject({ state: 'paused', reason: { code: reason } });
  await age(6 * 60_000);
  expect([await readCode(resumeJob(ada, job)), await readCode(resumeJob(program, job))]).toEqual([
    'fresh_sign_in_needed',
    'person_needed',
  ]);
  expect((await readState(job))?.state).toBe('paused');
  await confirmSignIn(ada, PASSWORD, from);
  expect(await readCode(resumeJob(ada, job))).toBe('done');
  expect((await readState(job))?.state).toBe('queued');
}

it.each(['run', 'purge'])('a person paused it: %s', async (action) => {
  const job = await deletion(ids.shop, action);
  await pauseJob(LOCAL_ADMIN, job);
  await asksAgain(job, 'operator');
});

it('the emergency stop paused it, and was cleared', async () => {
  const job = await deletion(ids.shop);
  await emergencyStop(program, { instanceId: ids.shop });
  await clearEmergencyStop(LOCAL_ADMIN, { instanceId: ids.shop });
  await asksAgain(job, 'operator');
});

it('a backup was put back', async () => {
  const job = await deletion(ids.shop);
  await parkRestoredJobs([{ ...deletionKind, isAhead: async () => true } as never]);
  await asksAgain(job, 'store_restored');
});

it('one that has failed', async () => {
  const job = await deletion(ids.shop);
  await updateJob(job, { state: 'failed', endedAt: Date.now() });
  await age(6 * 60_000);
  expect([await readCode(resumeJob(ada, job)), await readCode(resumeJob(program, job))]).toEqual([
    'fresh_sign_in_needed',
    'person_needed',
  ]);
  expect((await readState(job))?.state).toBe('failed');
});

it('undo, scans, and whatever is not on production go on without', async () => {
  const undo = await deletion(ids.shop, 'undo');
  const scan = await queue(ids.shop, {}, 'scan');
  const elsewhere = await deletion(ids.test);
  await age(6 * 60_000);
  for (const job of [undo, scan, elsewhere])
    for (const who of [ada, program]) {
      await pauseJob(LOCAL_ADMIN, job);
      expect(await readCode(resumeJob(who, job))).toBe('done');
    }
});

it('a search for leftovers goes on without; a kind that nobody knows is taken for one that deletes', async () => {
  const jobs = await Promise.all(['leftovers', 'unheard-of'].map((kind) => queue(ids.shop, {}, kind)));
  await age(6 * 60_000);
  const answers = [];
  for (const job of jobs) {
    await pauseJob(LOCAL_ADMIN, job);
    answers.push(await readCode(resumeJob(ada, job)));
  }
  expect(answers).toEqual(['done', 'fresh_sign_in_needed']);
});

it('lifting the emergency stop asks as much: what has come due meanwhile begins by itself', async () => {
  const { link } = await addUser(LOCAL_ADMIN, { name: 'eve', role: 'admin', grants: [] });
  const session = await openLink({ token: link.token, password: PASSWORD }, from);
  const eve = (await findSessionActor(session, { via: 'page', use: true }))!;
  const { secret } = await createToken(eve, { name: 'ci', role: 'admin', grants: [], days: 1 });
  const eveProgram = (await findApiTokenActor(secret, { address: '10.0.0.2', use: true }))!;
  const lift = (who: Actor, instanceId?: string) => readCode(clearEmergencyStop(who, { instanceId }));
  for (const instanceId of [undefined, ids.shop, ids.test]) await emergencyStop(LOCAL_ADMIN, { instanceId });
  const old = Date.now() - 6 * 60_000;
  await runTransaction((tx) => confirmSessionRow(eve.sessionId!, old, tx));
  for (const instanceId of [undefined, ids.shop])
    expect([await lift(eve, instanceId), await lift(eveProgram, instanceId)]).toEqual([
      'fresh_sign_in_needed',
      'person_needed',
    ]);
  expect(await lift(eveProgram, ids.test)).toBe('done');
  await confirmSignIn(eve, PASSWORD, from);
  expect([await lift(eve), await lift(eve, ids.shop)]).toEqual(['done', 'done']);
});
