import { afterEach, beforeEach, expect, it } from 'vitest';
import { listAudit } from '@/lib/access/audit-log/list-audit';
import { addUser, updateUser } from '@/lib/access/users/manage-users';
import { registerInstance } from '@/lib/instances/register-instance';
import { removeInstance } from '@/lib/instances/remove-instance';
import { resumeJob } from '@/lib/jobs/resume-job';
import { type Actor, LOCAL_ADMIN } from '@/lib/model/actor';
import { JOB_STATES, type JobState } from '@/lib/model/job-states';
import { ScheduleInput } from '@/lib/model/schedules/schedule';
import { InstanceInput } from '@/lib/model/servers/instance';
import { queueScan } from '@/lib/scans/start-scan';
import { findJobs, updateJob } from '@/lib/store/jobs';
import { runTransaction } from '@/lib/store/open-store';
import { putScheduleRow } from '@/lib/store/schedules/schedules';
import { temporaryData } from '@/test/temporary-data';
import { insertDueRuns } from './insert-due-runs';
import { listPlannedTimes, listScheduleRuns, listSchedules } from './list-schedules';
import { addSchedule, removeSchedule, updateSchedule } from './save-schedule';
import { tickSchedules } from './tick';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** A Monday, 03:10 in Shanghai. */
const DUE = Date.parse('2026-05-31T19:10Z');

let data: ReturnType<typeof temporaryData>;
beforeEach(() => {
  data = temporaryData();
});
afterEach(() => data.remove());

async function register(count: number, more: object = {}): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 1; i <= count; i++) {
    const endpoints = [{ host: '127.0.0.1', port: ids.length + 1 }];
    const input = InstanceInput.parse({ name: `r${i}`, topology: 'standalone', endpoints, tags: ['shop'], ...more });
    ids.push((await registerInstance(LOCAL_ADMIN, input)).id);
  }
  return ids;
}
const input = (more: object = {}) =>
  ScheduleInput.parse({
    name: 'nightly',
    cron: '10 3 * * *',
    zone: 'Asia/Shanghai',
    targets: { by: 'tags', tags: ['shop'] },
    atOnce: 10,
    ...more,
  });
/** Saves a schedule as if it had been saved at `now`: the clock of the test is not that of the machine. */
async function save(more: object = {}, now = DUE - HOUR, actor: Actor = LOCAL_ADMIN) {
  const schedule = await addSchedule(actor, input(more));
  const begunBy = { id: actor.id };
  const row = { id: schedule.id, input: input(more), begunBy, byName: actor.name, createdAt: now, updatedAt: now };
  await runTransaction((tx) => putScheduleRow({ ...row, nextAt: DUE }, tx));
  return schedule.id;
}
const tick = (now: number) => tickSchedules(queueScan, now);
const scans = (states: readonly JobState[] = JOB_STATES) => findJobs({ kind: 'scan', states });
const end = async (state: JobState = 'succeeded') => {
  for (const job of await scans(['queued', 'running'])) await updateJob(job.id, { state, endedAt: 1 });
};
const outcomes = async () =>
  (await listScheduleRuns(LOCAL_ADMIN, {})).map((run) => `${(run.dueAt - DUE) / HOUR} ${run.state} ${run.reason}`);

it('starts each due time once, whoever ticks, and says so in the audit log', async () => {
  await register(2);
  await save();
  await tick(DUE - 1);
  expect(await scans()).toEqual([]);
  await Promise.all([tick(DUE), tick(DUE), tick(DUE + 15_000)]);
  await tick(DUE + 30_000);
  expect(await outcomes()).toEqual(['0 started null', '0 started null']);
  expect((await scans()).map(({ actor, state }) => `${actor} ${state}`)).toEqual(
    Array(2).fill(`${LOCAL_ADMIN.name} queued`),
  );
  const [row] = (await listAudit(LOCAL_ADMIN, { action: 'job.create' })).rows;
  expect(row).toMatchObject({ via: 'engine', details: { kind: 'scan', schedule: 'nightly' } });
  await end();
  await tick(DUE + 24 * HOUR);
  expect(await outcomes()).toEqual(['24 started null', '24 started null', '0 started null', '0 started null']);
});

it('a process that is killed between due and job leaves runs that the next one starts', async () => {
  await register(1);
  await save();
  await insertDueRuns(DUE + 1);
  expect(await outcomes()).toEqual(['0 waiting null']);
  await Promise.all([tick(DUE + MINUTE), tick(DUE + MINUTE)]);
  expect(await scans()).toHaveLength(1);
});

it('no more scans at once than it may, and none is lost', async () => {
  await register(5);
  await save({ atOnce: 2 });
  let highest = 0;
  for (let i = 0; i < 6; i++) {
    await Promise.all([tick(DUE + i * MINUTE), tick(DUE + i * MINUTE)]);
    highest = Math.max(highest, (await scans(['queued'])).length);
    await end();
  }
  expect(highest).toBe(2);
  expect(await outcomes()).toEqual(Array(5).fill('0 started null'));
});

it('spreads the instances, each always at the same place', async () => {
  await register(20);
  await save({ spreadMinutes: 60, atOnce: 100 });
  const counts: number[] = [];
  for (const minutes of [0, 20, 40, 60]) {
    await tick(DUE + minutes * MINUTE);
    counts.push((await scans()).length);
  }
  expect(counts[1]).toBeGreaterThan(counts[0]!);
  expect(counts[3]).toBe(20);
  const places = async () => (await listScheduleRuns(LOCAL_ADMIN, {})).map((run) => run.startAt - run.dueAt);
  const before = await places();
  await end();
  await tick(DUE + 24 * HOUR);
  expect((await places()).slice(0, 20)).toEqual(before);
});

it('after downtime the newest missed time is made up for, or none', async () => {
  await register(1);
  const id = await save();
  await tick(DUE + 3 * 24 * HOUR + HOUR);
  const [run] = await listScheduleRuns(LOCAL_ADMIN, {});
  expect(run).toMatchObject({ dueAt: DUE + 3 * 24 * HOUR, state: 'started', missedSince: DUE });
  await removeSchedule(LOCAL_ADMIN, id);
  await save({ catchUp: 'none' });
  await tick(DUE + 24 * HOUR + HOUR);
  expect(await outcomes()).toEqual(['24 skipped missed']);
  expect(await scans()).toHaveLength(1);
});

it('skips what could not begin within its grace', async () => {
  await register(1);
  await save({ graceHours: 2 });
  await tick(DUE + 3 * HOUR);
  expect(await outcomes()).toEqual(['0 skipped missed']);
});

it('an unfinished scan lets no other begin; a blocked one of the same schedule is cancelled for the next', async () => {
  const [instance] = await register(1);
  await save();
  await save({ name: 'second' });
  await tick(DUE);
  // Two schedules for one instance at one minute.
  expect((await outcomes()).toSorted()).toEqual(['0 skipped running', '0 started null']);
  const [first] = await scans(['queued']);
  await updateJob(first!.id, { state: 'paused', reason: { code: 'operator', params: {}, since: 1 } });
  await tick(DUE + 24 * HOUR);
  expect((await outcomes()).slice(0, 2)).toEqual(['24 skipped paused', '24 skipped paused']);
  await updateJob(first!.id, { reason: { code: 'disk_full', params: {}, since: 1 } });
  await tick(DUE + 48 * HOUR);
  expect((await outcomes()).slice(0, 2).toSorted()).toEqual(['48 skipped running', '48 started null']);
  expect((await findJobs({ instanceId: instance })).map(({ state }) => state)).toEqual(['queued', 'cancelled']);
});

it('waits for its window within the grace, and skips what no window reaches', async () => {
  await register(1);
  const all = [1, 2, 3, 4, 5, 6, 7];
  await save({ windows: [{ days: all, from: '05:00', to: '06:00' }] });
  await tick(DUE);
  expect(await outcomes()).toEqual(['0 waiting null']);
  await tick(DUE + 110 * MINUTE);
  expect(await outcomes()).toEqual(['0 started null']);
  await end();
  await save({ name: 'freeze', blackout: [{ from: '2026-06-01', to: '2026-06-01' }] });
  await tick(DUE + 111 * MINUTE);
  expect((await outcomes()).toSorted()).toEqual(['0 skipped blackout', '0 started null']);
});

it('pauses at the end of the window and resumes at the next opening, but not against a person', async () => {
  await register(1);
  await save({ windows: [{ days: [1, 2, 3, 4, 5, 6, 7], from: '03:00', to: '05:00' }] });
  await tick(DUE);
  const [job] = await scans();
  const look = async () => (await scans()).map(({ state, reason }) => [state, reason?.code ?? null]);
  await tick(DUE + 2 * HOUR);
  expect(await look()).toEqual([['paused', 'window_closed']]);
  // A person resumes it: it is not paused again before the window has opened once more.
  await resumeJob(LOCAL_ADMIN, job!.id);
  await tick(DUE + 3 * HOUR);
  expect(await look()).toEqual([['queued', null]]);
  await tick(DUE + 24 * HOUR);
  expect((await outcomes())[0]).toBe('24 skipped running');
  await tick(DUE + 26 * HOUR);
  expect(await look()).toEqual([['paused', 'window_closed']]);
  await tick(DUE + 48 * HOUR);
  expect(await look()).toEqual([['queued', null]]);
  expect((await outcomes())[0]).toBe('48 skipped running');
});

it('cancels at the end of the window where it should', async () => {
  await register(1);
  const windows = [{ days: [1, 2, 3, 4, 5, 6, 7], from: '03:00', to: '05:00' }];
  await save({ windows, onWindowEnd: 'cancel' });
  await tick(DUE);
  await tick(DUE + 2 * HOUR);
  expect((await scans()).map(({ state }) => state)).toEqual(['cancelled']);
  expect(await outcomes()).toEqual(['0 started window_end']);
});

it('asks again for the rights of the person who saved it, and shows people only what they may see', async () => {
  const [id] = await register(1);
  const grants = [{ kind: 'tag', value: 'shop', role: 'operator' } as const];
  const { user } = await addUser(LOCAL_ADMIN, { name: 'otto', role: 'none', grants });
  const otto: Actor = { id: user.id, name: 'otto', role: 'none', grants, via: 'page' };
  await save({}, DUE - HOUR, otto);
  await tick(DUE);
  expect((await scans()).map(({ actor }) => actor)).toEqual(['otto']);
  await end();
  await updateUser(LOCAL_ADMIN, user.id, { disabled: true });
  await tick(DUE + 24 * HOUR);
  expect((await outcomes())[0]).toBe('24 skipped forbidden');
  const nora: Actor = { id: 'n', name: 'nora', role: 'none', via: 'page' };
  expect([await listSchedules(nora), await listScheduleRuns(nora, {}), (await listPlannedTimes(nora)).times]).toEqual([
    [],
    [],
    [],
  ]);
  const [seen] = await listSchedules(LOCAL_ADMIN);
  expect(seen).toMatchObject({ by: 'otto', instances: [{ id, name: 'r1' }] });
  for (const targets of [
    { by: 'tags', tags: ['other'] },
    { by: 'environment', environment: 'prod' },
  ])
    await expect(addSchedule(otto, input({ name: 'x', targets }))).rejects.toMatchObject({ code: 'forbidden' });
  const elsewhere = { by: 'instances', ids: [(await register(1, { name: 'hidden', tags: [] }))[0]] };
  await expect(addSchedule(otto, input({ name: 'x', targets: elsewhere }))).rejects.toMatchObject({
    code: 'not_found',
  });
  await updateSchedule(LOCAL_ADMIN, seen!.id, input({ targets: elsewhere }));
  await expect(removeSchedule(otto, seen!.id)).rejects.toMatchObject({ code: 'not_found' });
});

it('a clock that jumps ahead and back loses no time and runs none twice', async () => {
  await register(1);
  await save();
  const ahead = DUE + 10 * 24 * HOUR;
  await tick(ahead + MINUTE);
  await end();
  await tick(DUE - HOUR);
  await tick(DUE);
  await end();
  expect((await outcomes()).toSorted()).toEqual(['0 started null', '240 started null']);
  await tick(ahead);
  await tick(ahead + MINUTE);
  expect((await scans()).length).toBe(2);
});

it('one that is switched off begins nothing, and says so of what waited', async () => {
  await register(1);
  const windows = [{ days: [1], from: '05:00', to: '06:00' }];
  const id = await save({ windows });
  await tick(DUE);
  await updateSchedule(LOCAL_ADMIN, id, input({ windows, on: false }));
  await tick(DUE + 2 * HOUR);
  await tick(DUE + 24 * HOUR);
  expect(await outcomes()).toEqual(['0 skipped off']);
  expect((await listSchedules(LOCAL_ADMIN))[0]).toMatchObject({ on: false, nextAt: null });
  await expect(addSchedule(LOCAL_ADMIN, input())).rejects.toMatchObject({ code: 'conflict' });
});

it('one of an instance that was removed can still be changed and removed', async () => {
  const [first, second] = await register(2);
  const ids = { by: 'instances', ids: [first, second] };
  const id = await save({ targets: ids });
  await tick(DUE);
  await end();
  await removeInstance(LOCAL_ADMIN, second!);
  expect((await listSchedules(LOCAL_ADMIN))[0]).toMatchObject({
    targets: { ids: [first] },
    instances: [{ id: first }],
  });
  expect(await listScheduleRuns(LOCAL_ADMIN, {})).toMatchObject([{ instanceId: first }]);
  await expect(addSchedule(LOCAL_ADMIN, input({ name: 'x', targets: ids }))).rejects.toMatchObject({
    code: 'not_found',
  });
  await updateSchedule(LOCAL_ADMIN, id, input({ targets: { by: 'instances', ids: [first] } }));
  await removeInstance(LOCAL_ADMIN, first!);
  await removeSchedule(LOCAL_ADMIN, id);
  expect(await listSchedules(LOCAL_ADMIN)).toEqual([]);
});
