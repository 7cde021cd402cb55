import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRunner } from '@/lib/jobs/loop/runner';
import { getJob } from '@/lib/jobs/statuses/get-job';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { InstanceSettings } from '@/lib/model/servers/instance';
import { ScanOptions } from '@/lib/model/snapshots/scan';
import { scanKind } from '@/lib/scans/scan-kind';
import { startScan } from '@/lib/scans/start-scan';
import { insertInstanceRow } from '@/lib/store/instances';
import { getSnapshotRow, insertSnapshot } from '@/lib/store/snapshots';
import { askApi } from '@/test/access/ask-api';
import { type RedisServer, startRedis } from '@/test/servers/redis';
import { temporaryData } from '@/test/temporary-data';

/** A program asks an instance, by its id alone, what its newest whole snapshot holds. */
let data: ReturnType<typeof temporaryData>;
let redis: RedisServer;
let runner: ReturnType<typeof createRunner>;
let ids: string[];

const ask = (report: string, query = '', id = 'i1') => askApi(`GET /api/instances/${id}/reports/${report}${query}`);
const answered = async (...asked: Parameters<typeof ask>) => {
  const response = await ask(...asked);
  const answer = await response.json();
  return { status: response.status, answer };
};

async function scanned(keys: number): Promise<string> {
  const client = redis.client();
  for (let i = 0; i < keys; i++) await client.set(`order:${i}`, 'x');
  const job = await startScan(LOCAL_ADMIN, 'i1', ScanOptions.parse({ speed: 'fast' }));
  for (;;) {
    const { state, snapshotId } = await getJob(LOCAL_ADMIN, job.id);
    if (state === 'succeeded') return snapshotId!;
    expect(['queued', 'running', 'waiting']).toContain(state);
    await new Promise((done) => setTimeout(done, 20));
  }
}
const endpoint = () => ({ endpoints: [{ host: redis.host, port: redis.port }], topology: 'standalone' as const });

beforeAll(async () => {
  data = temporaryData();
  redis = await startRedis();
  const sealed = { password: null, sentinelPassword: null, writePassword: null, tlsKey: null };
  for (const id of ['i1', 'i2']) {
    const settings = InstanceSettings.parse({ name: id, ...endpoint() });
    await insertInstanceRow({ id, settings, sealed, createdAt: 1, updatedAt: 1 });
  }
  runner = createRunner({ kinds: [scanKind], concurrency: 1 });
  await runner.start();
  ids = [await scanned(10), await scanned(25)];
  // What a scan that still runs has read so far is newer than both.
  const newest = (await getSnapshotRow(ids[1]!))!;
  await insertSnapshot({
    ...newest,
    id: 'liveone00',
    state: 'live',
    startedAt: newest.startedAt + 1000,
    endedAt: null,
  });
});
afterAll(async () => {
  await runner.stop();
  await redis.stop();
  await data.remove();
});

it('answers of the newest whole one, and of a whole one by its id', async () => {
  for (const query of ['', '?snapshot=latest', `?snapshot=${ids[1]}`])
    expect(await answered('overview', query)).toMatchObject({
      status: 200,
      answer: { snapshotId: ids[1], live: false, report: { keys: 25 } },
    });
  const older = await answered('overview', `?snapshot=${ids[0]}`);
  expect(older.answer).toMatchObject({ snapshotId: ids[0], report: { keys: 10 } });
});

it('takes the filter of the report, and gives its table as a file', async () => {
  const tree = await answered('tree', '?snapshot=latest&search=order:1');
  expect(tree.answer.report.keys).toBe(11);
  const file = await ask('tree', '?snapshot=latest&format=csv');
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
  expect((await file.text()).split('\n')[1]).toContain('order:');
});

it('answers about findings alike', async () => {
  const all = await answered('findings', '?snapshot=latest');
  expect(all).toMatchObject({ status: 200, answer: { snapshotId: ids[1], report: { total: { keys: 25 } } } });
  const [first] = all.answer.report.rules;
  expect(await answered(`findings/${first.rule}`, `?snapshot=${ids[0]}`)).toMatchObject({
    status: 200,
    answer: { snapshotId: ids[0], report: { finding: { rule: first.rule } } },
  });
});

it('takes no part of a keyspace for all of it, nor a snapshot of another instance, nor a word that is none', async () => {
  for (const asked of ['liveone00', 'nothere00'])
    expect(await answered('overview', `?snapshot=${asked}`)).toMatchObject({
      status: 404,
      answer: { error: { code: 'not_found', message: expect.stringContaining('/api/instances/{id}/snapshots') } },
    });
  for (const report of ['overview', 'findings', 'findings/N1'])
    expect((await answered(report, `?snapshot=${ids[0]}`, 'i2')).status).toBe(404);
  expect(await answered('overview', '', 'i2')).toMatchObject({
    status: 404,
    answer: { error: { message: 'This instance has no snapshot of its whole keyspace yet. Scan it first.' } },
  });
  expect((await answered('overview', '', 'nothere')).status).toBe(404);
  for (const query of ['?snapshot=', '?snapshot=../x', '?snapshots=latest'])
    expect((await answered('overview', query)).status).toBe(400);
});
