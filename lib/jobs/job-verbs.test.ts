import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listAudit } from '@/lib/access/audit-log/list-audit';
import { listStepsToEnd } from '@/lib/jobs/loop/finish-job';
import { getJob } from '@/lib/jobs/statuses/get-job';
import { type Actor, LOCAL_ADMIN } from '@/lib/model/actor';
import { JOB_STATES, JOB_TRANSITIONS, type JobState } from '@/lib/model/job-states';
import { getStoredJob, updateJob } from '@/lib/store/jobs';
import { putPresence, removePresence } from '@/lib/store/workers';
import { temporaryData } from '@/test/temporary-data';
import { cancelJob } from './cancel-job';
import { createJob } from './create-job';
import { listJobs } from './list-jobs';
import { pauseJob } from './pause-job';
import { resumeJob } from './resume-job';
import { setJobSpeed } from './set-job-speed';

const VIEWER: Actor = { id: 'v', name: 'vera', role: 'viewer', via: 'page' };
const OPERATOR: Actor = { id: 'o', name: 'otto', role: 'operator', via: 'api' };
const toy = (instanceId: string | null = 'i1') => ({
  kind: 'toy',
  instanceId,
  instanceName: instanceId,
  speed: 'gentle' as const,
  params: { n: 1 },
});

let data: ReturnType<typeof temporaryData>;
beforeEach(async () => {
  data = temporaryData();
  const sign = { host: 'h', pid: 1, labels: [], version: '1', keyId: 'k', jobs: 1, running: 0 };
  await putPresence({ ...sign, id: 'worker', role: 'worker' });
});
afterEach(() => data.remove());

describe('job verbs', () => {
  it('queues a job and shows it', async () => {
    const job = await createJob(OPERATOR, toy());
    expect(job).toMatchObject({ state: 'queued', kind: 'toy', instanceId: 'i1', speed: 'gentle', actor: 'otto' });
    expect(await getJob(VIEWER, job.id)).toEqual(job);
    expect(await listJobs(VIEWER, { instanceId: 'i1', active: true })).toEqual([job]);
    expect(await listJobs(VIEWER, { instanceId: 'other' })).toEqual([]);
  });

  it('says of a queued job that no worker is running', async () => {
    await removePresence('worker');
    const { id } = await createJob(OPERATOR, toy());
    expect(await getJob(VIEWER, id)).toMatchObject({ state: 'queued', reason: { code: 'no_worker' } });
  });

  it('does not find what is not there', async () => {
    await expect(getJob(VIEWER, 'nope')).rejects.toMatchObject({ code: 'not_found' });
    await expect(pauseJob(OPERATOR, 'nope')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('refuses a second active job of one instance and names the first', async () => {
    const first = await createJob(OPERATOR, toy());
    await expect(createJob(OPERATOR, toy())).rejects.toMatchObject({ code: 'job_running', details: { job: first.id } });
    await createJob(OPERATOR, toy('i2'));
    await createJob(OPERATOR, { ...toy(), kind: 'other' });
    await pauseJob(OPERATOR, first.id);
    const second = await createJob(OPERATOR, toy());
    await expect(resumeJob(OPERATOR, first.id)).rejects.toMatchObject({
      code: 'job_running',
      details: { job: second.id },
    });
  });

  it('of many that come at once only one gets in', async () => {
    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => createJob(OPERATOR, toy())));
    expect(tries.filter((t) => t.status === 'fulfilled')).toHaveLength(1);
    expect(await listJobs(VIEWER)).toHaveLength(1);
  });

  it.each([
    ['create', () => createJob(VIEWER, toy('i9'))],
    ['pause', (id: string) => pauseJob(VIEWER, id)],
    ['resume', (id: string) => resumeJob(VIEWER, id)],
    ['cancel', (id: string) => cancelJob(VIEWER, id)],
    ['speed', (id: string) => setJobSpeed(VIEWER, id, 'fast')],
  ] as const)('%s refuses a viewer, changes nothing and keeps the attempt on record', async (action, verb) => {
    const job = await createJob(OPERATOR, toy());
    await expect(verb(job.id)).rejects.toMatchObject({ code: 'forbidden' });
    expect(await listJobs(VIEWER)).toEqual([job]);
    const [last] = (await listAudit(VIEWER)).rows;
    expect(last).toMatchObject({ actor: 'vera', action: `job.${action}`, outcome: 'refused' });
  });

  it.each([
    ['pause', pauseJob],
    ['cancel', cancelJob],
    ['speed', (actor: Actor, id: string) => setJobSpeed(actor, id, 'fast')],
    [
      'resume',
      async (actor: Actor, id: string) => {
        await pauseJob(actor, id);
        await resumeJob(actor, id);
      },
    ],
  ] as const)('%s leaves an audit row', async (action, verb) => {
    const job = await createJob(OPERATOR, toy());
    await verb(OPERATOR, job.id);
    const [last] = (await listAudit(VIEWER)).rows;
    expect(last).toMatchObject({ actor: 'otto', action: `job.${action}`, subject: job.id, outcome: 'done' });
  });

  it('asks twice without harm', async () => {
    const { id } = await createJob(OPERATOR, toy());
    expect((await pauseJob(OPERATOR, id)).state).toBe('paused');
    expect((await pauseJob(OPERATOR, id)).state).toBe('paused');
    expect((await resumeJob(OPERATOR, id)).state).toBe('queued');
    expect((await resumeJob(OPERATOR, id)).state).toBe('queued');
    expect((await cancelJob(OPERATOR, id)).state).toBe('cancelled');
    expect((await cancelJob(OPERATOR, id)).state).toBe('cancelled');
    expect((await listAudit(VIEWER)).rows).toHaveLength(4);
  });

  it('changes states only along the table', async () => {
    const verbs = { paused: pauseJob, queued: resumeJob, cancelled: cancelJob };
    const soft = { paused: 'pausing', queued: 'queued', cancelled: 'cancelling' } as const;
    for (const from of JOB_STATES)
      for (const [to, verb] of Object.entries(verbs)) {
        const { id } = await createJob(LOCAL_ADMIN, toy(null));
        await updateJob(id, { state: from });
        const asked = await verb(LOCAL_ADMIN, id).then(
          (job) => job.state,
          (error) => error.code,
        );
        const target = soft[to as keyof typeof soft];
        const stays = from === to || from === target;
        const allowed: string[] = [to, target].filter((s) => JOB_TRANSITIONS[from].includes(s as JobState));
        // Only the engine may queue a running job again.
        const reserved = to === 'queued' && (from === 'running' || from === 'waiting');
        if (stays) expect([from, to, asked]).toEqual([from, to, from]);
        else if (allowed.length === 0 || reserved) expect([from, to, asked]).toEqual([from, to, 'conflict']);
        else expect(allowed, `${from} → ${to}`).toContain(asked);
      }
  });

  it('ends only in states the table allows, whatever was asked meanwhile', () => {
    const ends = [
      { how: 'done' },
      { how: 'stopped' },
      { how: 'interrupted' },
      { how: 'blocked', reason: { code: 'disk_full', params: {} } },
      { how: 'failed', error: new Error('x') },
    ] as const;
    for (const state of ['running', 'waiting', 'pausing', 'cancelling'] as const)
      for (const end of ends) {
        let at: JobState = state;
        for (const step of listStepsToEnd(state, end, 1)) {
          expect(JOB_TRANSITIONS[at], `${at} → ${step.state}`).toContain(step.state);
          at = step.state;
        }
        expect(['succeeded', 'paused', 'queued', 'cancelled', 'failed']).toContain(at);
      }
  });

  it('keeps the wish to clean up with the cancellation, and holds a resume back until it is done', async () => {
    const { id } = await createJob(OPERATOR, toy());
    await updateJob(id, { state: 'failed', discardPending: true });
    await expect(resumeJob(OPERATOR, id)).rejects.toMatchObject({ code: 'conflict' });
    await updateJob(id, { discardPending: false });
    expect((await resumeJob(OPERATOR, id)).state).toBe('queued');
    await cancelJob(OPERATOR, id);
    expect((await getStoredJob(id))?.discardPending).toBe(true);
  });
});
