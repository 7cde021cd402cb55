import { afterAll, beforeAll, expect, it } from 'vitest';
import { getFleet } from '@/lib/instances/get-fleet';
import { createRunner, type Runner } from '@/lib/jobs/loop/runner';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { InstanceSettings } from '@/lib/model/servers/instance';
import { ScanOptions } from '@/lib/model/snapshots/scan';
import { evaluateSoon } from '@/lib/rules/findings/evaluate-soon';
import { getFindings } from '@/lib/scans/get-findings';
import { chooseSnapshotId, listSnapshots } from '@/lib/scans/list-snapshots';
import { scanKind } from '@/lib/scans/scan-kind';
import { startScan } from '@/lib/scans/start-scan';
import { insertInstanceRow } from '@/lib/store/instances';
import { getStoredJob } from '@/lib/store/jobs';
import { until } from '@/test/servers/process';
import { type RedisServer, startRedis } from '@/test/servers/redis';
import { temporaryData } from '@/test/temporary-data';

/** Scans of one prefix or database, which must never be taken for a scan of the whole instance. */
let data: ReturnType<typeof temporaryData>;
let redis: RedisServer;
let runner: Runner;
beforeAll(async () => {
  data = temporaryData();
  redis = await startRedis();
  const client = redis.client();
  for (let i = 0; i < 30; i++) await client.set(`${i < 5 ? 'session' : 'user'}:${i}`, 'x');
  for (const id of ['both', 'parts'])
    await insertInstanceRow({
      id,
      settings: InstanceSettings.parse({
        name: id,
        topology: 'standalone',
        endpoints: [{ host: redis.host, port: redis.port }],
      }),
      sealed: { password: null, sentinelPassword: null, writePassword: null, tlsKey: null },
      createdAt: 1,
      updatedAt: 1,
    });
  runner = createRunner({ kinds: [scanKind], concurrency: 1 });
  await runner.start();
});
afterAll(async () => {
  await runner.stop();
  await redis.stop();
  await data.remove();
});

async function scan(instanceId: string, options: object): Promise<string> {
  const { id } = await startScan(LOCAL_ADMIN, instanceId, ScanOptions.parse({ speed: 'fast', ...options }));
  await until('the scan has ended', async () => (await getStoredJob(id))?.job.state === 'succeeded');
  await evaluateSoon(instanceId);
  return (await getStoredJob(id))?.job.snapshotId ?? '';
}
const makeRow = async (id: string) => (await getFleet(LOCAL_ADMIN)).find(({ instance }) => instance.id === id);

it('a scan of a part never stands for its instance', async () => {
  const whole = await scan('both', {});
  const part = await scan('both', { match: 'session:' });
  const db = await scan('both', { databases: [0] });
  const rows = await listSnapshots(LOCAL_ADMIN, 'both');
  expect(rows.map(({ id, keys, isPart }) => [id, keys, isPart])).toEqual([
    [db, 30, true],
    [part, 5, true],
    [whole, 30, false],
  ]);
  expect(await chooseSnapshotId(LOCAL_ADMIN, 'both', 'latest')).toBe(whole);
  expect(await chooseSnapshotId(LOCAL_ADMIN, 'both', part)).toBe(part);
  const line = await makeRow('both');
  expect([line?.latest?.id, line?.keysHistory]).toEqual([whole, [30]]);
  expect(line?.score).toEqual(expect.any(Number));
  expect(rows.map(({ score }) => score === null)).toEqual([true, true, false]);
  const { report } = await getFindings(LOCAL_ADMIN, part, {});
  expect([report.score.score, report.score.reason, report.previous]).toEqual([null, 'part', null]);
});

it('where there is nothing else, it counts neither for the fleet nor for programs', async () => {
  await scan('parts', { match: 'session:' });
  expect(await makeRow('parts')).toMatchObject({ latest: null, score: null, keysHistory: [] });
  await expect(chooseSnapshotId(LOCAL_ADMIN, 'parts', 'latest')).rejects.toMatchObject({ code: 'not_found' });
});
