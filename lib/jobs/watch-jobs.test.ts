import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Actor } from '@/lib/model/actor';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { InstanceSettings } from '@/lib/model/servers/instance';
import { insertInstanceRow } from '@/lib/store/instances';
import { readStoreNow, updateJob } from '@/lib/store/jobs';
import { recordStatements } from '@/test/record-statements';
import { sqlByHand } from '@/test/sql-by-hand';
import { temporaryData } from '@/test/temporary-data';
import { createJob } from './create-job';
import { readChangedJobs } from './read-changed-jobs';
import { getJob } from './statuses/get-job';
import { watchJobs } from './watch-jobs';

const granted = (tag: string): Actor => ({
  id: tag,
  name: tag,
  role: 'none',
  via: 'api',
  grants: [{ kind: 'tag', value: tag, role: 'viewer' }],
});

let data: ReturnType<typeof temporaryData>;
const jobs = new Map<string, string>();
beforeEach(async () => {
  data = temporaryData();
  for (const id of ['shop', 'social']) {
    const endpoints = [{ host: '127.0.0.1', port: 6379 }];
    const settings = InstanceSettings.parse({ name: id, topology: 'standalone', endpoints, tags: [id] });
    const sealed = { password: null, sentinelPassword: null, writePassword: null, tlsKey: null };
    await insertInstanceRow({ id, settings, sealed, createdAt: 1, updatedAt: 1 });
    const toy = { kind: 'toy', instanceId: id, instanceName: id, speed: 'gentle', params: { a: 1 } } as const;
    const job = await createJob(LOCAL_ADMIN, toy);
    await updateJob(job.id, {
      state: 'running',
      checkpoint: { parts: Array.from({ length: 100 }, (_, i) => `p${i}`) },
    });
    jobs.set(id, job.id);
  }
});
afterEach(() => data.remove());

it('one question serves all streams of a process, and reads nothing that nobody sees', async () => {
  const actors = [LOCAL_ADMIN, LOCAL_ADMIN, granted('shop'), granted('social'), granted('nothing')];
  const streams = actors.map((actor) => watchJobs(actor));
  const first = await Promise.all(streams.map((next) => next()));
  expect(first.map(({ items }) => items.length)).toEqual([2, 2, 1, 1, 0]);
  await updateJob(jobs.get('shop')!, { state: 'waiting', reason: { code: 'latency', params: {}, since: 1 } });
  let seen: string[][] = [];
  const asked = await recordStatements(async () => {
    const events = await Promise.all(streams.map((next) => next()));
    seen = events.map(({ items }) => items.map(({ instanceId, state }) => `${instanceId} ${state}`));
  });
  expect(seen).toEqual([['shop waiting'], ['shop waiting'], ['shop waiting'], [], []]);
  expect(asked.filter(({ sql }) => sql.includes('from "jobs"'))).toHaveLength(1);
  // One query for the instances of changed jobs for each user who may not see all.
  expect(asked.filter(({ sql }) => sql.includes('from "instances"'))).toHaveLength(3);
  expect(asked.filter(({ sql }) => /checkpoint|params|\*/.test(sql.replace('* 1000', '')))).toEqual([]);
});

it('one job is read without what nobody sees', async () => {
  const asked = await recordStatements(() => getJob(granted('shop'), jobs.get('shop')!));
  const ofJobs = asked.map(({ sql }) => sql.replace('* 1000', '')).filter((sql) => sql.includes('from "jobs"'));
  expect(ofJobs.filter((sql) => /checkpoint|params|\*/.test(sql))).toEqual([]);
});

it('a stream that looks seldom misses nothing that others were given long ago', async () => {
  const now = await readStoreNow();
  expect((await readChangedJobs(now - 1000)).jobs).toHaveLength(2);
  await sqlByHand('update jobs set updated_at = updated_at - 30000');
  // The shared answer of a moment ago starts later, so it cannot be used here.
  expect((await readChangedJobs(now - 60_000)).jobs).toHaveLength(2);
  expect((await readChangedJobs(now - 1000)).jobs).toHaveLength(2);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect((await readChangedJobs(now - 1000)).jobs).toHaveLength(0);
});
