import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Actor } from '@/lib/model/actor';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { InstanceSettings } from '@/lib/model/servers/instance';
import { insertInstanceRow } from '@/lib/store/instances';
import { insertJob } from '@/lib/store/jobs';
import { temporaryData } from '@/test/temporary-data';
import { listJobs } from './list-jobs';
import { watchJobs } from './watch-jobs';

const GRANTED: Actor = {
  id: 'g',
  name: 'gus',
  role: 'none',
  via: 'api',
  grants: [{ kind: 'instance', value: 'mine', role: 'viewer' }],
};

let data: ReturnType<typeof temporaryData>;
beforeEach(async () => {
  data = temporaryData();
  for (const id of ['mine', 'theirs']) {
    const endpoints = [{ host: '127.0.0.1', port: 6379 }];
    const settings = InstanceSettings.parse({ name: id, topology: 'standalone', endpoints });
    const sealed = { password: null, sentinelPassword: null, writePassword: null, tlsKey: null };
    await insertInstanceRow({ id, settings, sealed, createdAt: 1, updatedAt: 1 });
  }
  // The 30 older jobs are visible to the user; the 300 newer ones of another instance would fill every limit.
  for (let i = 0; i < 30; i++) await job(`a${i}`, 'mine', i);
  for (let i = 0; i < 300; i++) await job(`b${i}`, 'theirs', 1000 + i);
});
afterEach(() => data.remove());

/** Each job has its own kind, because an instance may have only one active job of a kind. */
async function job(id: string, instanceId: string, createdAt: number): Promise<void> {
  const nothing = { snapshotId: null, progress: null, reason: null, cost: null, error: null };
  const when = { createdAt, startedAt: null, endedAt: null, updatedAt: createdAt };
  const row = {
    id,
    kind: `toy ${id}`,
    instanceId,
    instanceName: instanceId,
    state: 'queued',
    speed: 'gentle',
    actor: 'x',
  };
  await insertJob({ ...row, ...nothing, ...when } as Parameters<typeof insertJob>[0], null);
}

it('a full page of what one may see, however much of others is newer', async () => {
  const mine = await listJobs(GRANTED, { limit: 20 });
  expect(mine).toHaveLength(20);
  expect(new Set(mine.map(({ instanceId }) => instanceId))).toEqual(new Set(['mine']));
  expect(await listJobs(GRANTED)).toHaveLength(30);
  expect(await listJobs(GRANTED, { instanceId: 'theirs' })).toEqual([]);
  expect(await listJobs({ ...GRANTED, grants: [] })).toEqual([]);
  expect(await listJobs(LOCAL_ADMIN, { limit: 1000 })).toHaveLength(330);
  const { items } = await watchJobs(GRANTED)();
  expect(items).toHaveLength(30);
});
