import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRunner } from '@/lib/jobs/loop/runner';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { InstanceSettings } from '@/lib/model/servers/instance';
import { ScanOptions } from '@/lib/model/snapshots/scan';
import { writeManifest } from '@/lib/snapshots/folder/manifest';
import { getSnapshotFolder } from '@/lib/snapshots/folder/snapshot-folder';
import { sealSnapshot } from '@/lib/snapshots/seal/seal-snapshot';
import { insertInstanceRow } from '@/lib/store/instances';
import { getStoredJob } from '@/lib/store/jobs';
import { insertSnapshot } from '@/lib/store/snapshots';
import { startFaultProxy } from '@/test/deletions/faults/fault-proxy';
import { LONG } from '@/test/long-form.mjs';
import { type RedisServer, startRedis } from '@/test/servers/redis';
import { seedMixed } from '@/test/servers/seed';
import { madeRows } from '@/test/snapshots/made-rows';
import { makeManifest, writeParts } from '@/test/snapshots/make-snapshot';
import { temporaryData } from '@/test/temporary-data';
import { getFindings, getRuleFindings } from './get-findings';
import { getReport } from './get-report';
import { scanKind } from './scan-kind';
import { startScan } from './start-scan';

/**
 * A scan that ends changes the files under its readers: parts are deleted and a sealed file is added. No query may
 * notice that.
 */
let data: ReturnType<typeof temporaryData>;
let redis: RedisServer;
beforeAll(async () => {
  data = temporaryData();
  redis = await startRedis();
});
afterAll(async () => {
  await redis.stop();
  await data.remove();
});

async function liveSnapshot(id: string, keys: number, partRows: number) {
  const dir = getSnapshotFolder(id);
  const parts = await writeParts(dir, madeRows(keys), partRows);
  await writeManifest(dir, makeManifest({ id }));
  const counts = { keys: 0, bytes: null, bigkeys: null, noExpiryKeys: null, fileBytes: null };
  const row = { instanceId: 'i', jobId: null, state: 'live' as const, startedAt: 1, endedAt: null, partial: false };
  await insertSnapshot({ id, ...row, ...counts });
  const seal = () =>
    sealSnapshot(dir, parts, {
      manifest: (stats) => makeManifest({ id, state: 'sealed', keys: stats.keys, fileBytes: stats.fileBytes }),
    });
  return { dir, seal };
}

it('answers about findings all the while a snapshot is sealed', async () => {
  const id = 'changing1';
  const { seal } = await liveSnapshot(id, LONG ? 40_000 : 12_000, 200);
  let sealed = false;
  const sealing = seal().finally(() => {
    sealed = true;
  });
  const counts: number[] = [];
  const asked = [
    async () => (await getFindings(LOCAL_ADMIN, id, {})).report.total.keys,
    async () => (await getRuleFindings(LOCAL_ADMIN, id, 'T1', {})) && Number.POSITIVE_INFINITY,
    async () => (await getReport(LOCAL_ADMIN, id, 'keys', { rule: ['T1'] })) && Number.POSITIVE_INFINITY,
  ];
  const reader = async (ask: () => Promise<number>) => {
    do counts.push(await ask());
    while (!sealed);
  };
  await Promise.all([sealing, ...asked.map(reader)]);
  const { report, live } = await getFindings(LOCAL_ADMIN, id, {});
  expect(live).toBe(false);
  // Rows that were read twice are counted twice until sealing removes them; a count is never too low.
  for (const count of counts) expect(count).toBeGreaterThanOrEqual(report.total.keys);
});

it('says of an answer that serves many which moment it is of', async () => {
  const id = 'shared001';
  const { dir } = await liveSnapshot(id, 2_000, 500);
  await writeManifest(dir, makeManifest({ id, endedAt: null }));
  for (const ask of [() => getReport(LOCAL_ADMIN, id, 'overview', {}), () => getFindings(LOCAL_ADMIN, id, {})]) {
    const before = Date.now();
    const first = await ask();
    expect(first).toMatchObject({ live: true, asOf: expect.any(Number) });
    expect(first.asOf).toBeGreaterThanOrEqual(before);
    expect(first.asOf).toBeLessThanOrEqual(Date.now());
    await delay(20);
    expect((await ask()).asOf).toBe(first.asOf);
  }
});

it('answers from the first moment of a scan to its end', async () => {
  const keys = LONG ? 30_000 : 10_000;
  await seedMixed(redis.client(), keys);
  const proxy = await startFaultProxy(redis.port);
  // The scan reads some keys, and no more before the first answer about them.
  const struck = proxy.strike({ word: 'SCAN', act: 'hold', after: 5 });
  await insertInstanceRow({
    id: 'instance1',
    settings: InstanceSettings.parse({
      name: 'one',
      topology: 'standalone',
      endpoints: [{ host: redis.host, port: proxy.port }],
    }),
    sealed: { password: null, sentinelPassword: null, writePassword: null, tlsKey: null },
    createdAt: 1,
    updatedAt: 1,
  });
  const runner = createRunner({ kinds: [scanKind], concurrency: 1 });
  await runner.start();
  try {
    let live = 0;
    for (let round = 0; round < (LONG ? 5 : 2); round++) {
      const speed = round % 2 === 0 ? 'gentle' : 'fast';
      const job = await startScan(LOCAL_ADMIN, 'instance1', ScanOptions.parse({ speed }));
      const answers: { live: boolean; keys: number }[] = [];
      for (;;) {
        const now = (await getStoredJob(job.id))?.job;
        if (now?.snapshotId) {
          const answer = await getFindings(LOCAL_ADMIN, now.snapshotId, {});
          answers.push({ live: answer.live, keys: answer.report.total.keys });
          if (answer.live) (await struck).release();
        }
        if (now?.state === 'succeeded') break;
        expect(['queued', 'running', 'waiting']).toContain(now?.state);
        // The store answers at once, so other tasks would get no turn without this.
        await nextTurn();
      }
      expect(answers.at(-1)).toEqual({ live: false, keys });
      live += answers.filter((answer) => answer.live).length;
    }
    expect(live).toBeGreaterThan(0);
  } finally {
    await runner.stop();
    await proxy.stop();
  }
});
