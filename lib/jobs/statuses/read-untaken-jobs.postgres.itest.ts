import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createJob } from '@/lib/jobs/create-job';
import { listJobs } from '@/lib/jobs/list-jobs';
import { pauseJob } from '@/lib/jobs/pause-job';
import { watchJobs } from '@/lib/jobs/watch-jobs';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { InstanceSettings } from '@/lib/model/servers/instance';
import { insertInstanceRow } from '@/lib/store/instances';
import { updateJob } from '@/lib/store/jobs';
import { putPresence, removePresence } from '@/lib/store/workers';
import { sqlByHand } from '@/test/sql-by-hand';
import { temporaryData } from '@/test/temporary-data';
import { getJob } from './get-job';

let data: ReturnType<typeof temporaryData>;
const jobs: Record<string, string> = {};
beforeEach(async () => {
  data = temporaryData();
  const real = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => real() + ahead);
  for (const [id, workerLabel] of [
    ['plain', null],
    ['dmz', 'dmz'],
  ] as const) {
    const endpoints = [{ host: '127.0.0.1', port: 6379 }];
    const settings = InstanceSettings.parse({ name: id, topology: 'standalone', endpoints, workerLabel });
    const sealed = { password: null, sentinelPassword: null, writePassword: null, tlsKey: null };
    await insertInstanceRow({ id, settings, sealed, createdAt: 1, updatedAt: 1 });
    const toy = { kind: 'toy', instanceId: id, instanceName: id, speed: 'gentle', params: null } as const;
    jobs[id] = (await createJob(LOCAL_ADMIN, toy)).id;
  }
});
afterEach(async () => {
  vi.restoreAllMocks();
  await data.remove();
});

const come = (id: string, labels: string[], more: { role?: 'web' | 'all'; running?: number } = {}) =>
  putPresence({
    id,
    host: 'h',
    pid: 1,
    version: '1',
    keyId: 'k',
    jobs: 1,
    running: 0,
    role: 'worker',
    ...more,
    labels,
  });
const reasons = async () => {
  const of = Object.fromEntries((await listJobs(LOCAL_ADMIN)).map((job) => [job.id, job.reason?.code ?? null]));
  return [of[jobs.plain!], of[jobs.dmz!]];
};
/** Waits for the expected reasons. An answer is reused for two seconds, so the clock is moved past them. */
let ahead = 0;
const become = (expected: (string | null)[]) => {
  ahead += 2_001;
  return expect.poll(reasons, { timeout: 60_000, interval: 50 }).toEqual(expected);
};

it('a queued job says which label no process has that is there, until one comes', async () => {
  const next = watchJobs(LOCAL_ADMIN);
  await become(['no_worker', 'no_worker_with_label']);
  expect(await getJob(LOCAL_ADMIN, jobs.dmz!)).toMatchObject({ state: 'queued', reason: { params: { label: 'dmz' } } });
  expect((await next()).items).toMatchObject([
    { reason: { code: 'no_worker_with_label' } },
    { reason: { code: 'no_worker' } },
  ]);
  await come('web', [], { role: 'web' });
  await come('a', ['eu']);
  await become(['no_worker_without_label', 'no_worker_with_label']);
  expect((await next()).items).toMatchObject([{ reason: { code: 'no_worker_without_label' } }]);
  await come('b', ['dmz'], { role: 'all' });
  await become(['no_worker_without_label', null]);
  await come('d', [], { role: 'all' });
  await become([null, null]);
  // No row has changed, and streams report the new reason nevertheless.
  expect((await next()).items).toHaveLength(2);
  expect((await next()).items).toEqual([]);
  await come('d', [], { role: 'all', running: 1 });
  await become(['no_place', null]);
  expect(await getJob(LOCAL_ADMIN, jobs.plain!)).toMatchObject({ state: 'queued', reason: { params: { places: 1 } } });
  await come('e', []);
  await become([null, null]);
  await removePresence('e');
  await come('b', ['dmz'], { role: 'all', running: 1 });
  await become(['no_place', 'no_place']);
  await next();
  await removePresence('b');
  await removePresence('d');
  await become(['no_worker_without_label', 'no_worker_with_label']);
  await come('c', []);
  await sqlByHand("update workers set seen_at = 0 where id = 'c'");
  await pauseJob(LOCAL_ADMIN, jobs.dmz!);
  await become(['no_worker_without_label', 'operator']);
});

it('a running job whose process has stopped reporting says so, and keeps no speed', async () => {
  const next = watchJobs(LOCAL_ADMIN);
  await come('a', []);
  const progress = {
    phase: 'scanning',
    done: 5,
    total: 10,
    unit: 'keys',
    ratePerSecond: 4_079,
    etaSeconds: 71,
    nodes: [],
  };
  await updateJob(jobs.plain!, { state: 'running', startedAt: 1, progress: progress as never });
  await become([null, 'no_worker_with_label']);
  await next();
  await sqlByHand(`update jobs set updated_at = updated_at - 60000 where id = '${jobs.plain}'`);
  await become(['worker_silent', 'no_worker_with_label']);
  const silent = { state: 'running', progress: { done: 5, ratePerSecond: null, etaSeconds: null } };
  expect(await getJob(LOCAL_ADMIN, jobs.plain!)).toMatchObject(silent);
  // No row has changed, and streams report it nevertheless.
  expect((await next()).items).toMatchObject([{ id: jobs.plain, ...silent }]);
  await updateJob(jobs.plain!, {});
  await become([null, 'no_worker_with_label']);
  expect((await next()).items).toMatchObject([{ progress: { ratePerSecond: 4_079 } }]);
});
