import type { Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { STANDARD_THRESHOLDS } from '@/lib/model/keys/bigkey-thresholds';
import { ReportQuery } from '@/lib/model/reports/query';
import { ScanOptions } from '@/lib/model/snapshots/scan';
import type { RedisSession } from '@/lib/redis/connection/session';
import { MAX_NODES_AT_ONCE, scanAllNodes } from '@/lib/scans/run/scan-all-nodes';
import { createCheckpoint } from '@/lib/scans/run/scan-checkpoint';
import { ScanMeter } from '@/lib/scans/run/scan-meter';
import { runReport } from '@/lib/snapshots/reports/run-report';
import { sessionTo } from '@/test/servers/scan-session';
import { freshFolder, scanWhole } from '../scans/scan';
import { type RedisServer, startRedis } from '../servers/redis';
import { pour } from '../servers/seed';
import { AS_OF, type MadeRow } from '../snapshots/made-rows';
import { dataFolder, makeManifest, makeSealed } from '../snapshots/make-snapshot';

let server: RedisServer;
beforeAll(async () => {
  server = await startRedis();
  await pour(server.client(), [
    ['SET', 'string:under', 'x'.repeat(10_239)],
    ['SET', 'string:over', 'x'.repeat(50_000)],
    ['SET', 'string:small', 'x'.repeat(1000)],
    ['SADD', 'set:over', ...Array.from({ length: 5001 }, (_, i) => `member:${i}`)],
    ['SADD', 'set:small', 'a', 'b'],
  ]);
});
afterAll(() => server.stop());

it('a scan without element counts reports no key on suspicion, and says of which it cannot tell', async () => {
  const { dir, manifest } = await scanWhole([server], { options: { facts: 'basic' } });
  const { report } = await runReport({ dir, manifest }, 'bigkeys', ReportQuery.parse({}));
  expect(report.rows.map((row) => row.name)).toEqual(['string:over']);
  expect(report.unknown).toBe(2);
  const full = await scanWhole([server]);
  const known = await runReport({ dir: full.dir, manifest: full.manifest }, 'bigkeys', ReportQuery.parse({}));
  expect(known.report.rows.map((row) => row.name).sort()).toEqual(['set:over', 'string:over']);
  expect(known.report.unknown).toBe(0);
});

it('what expires while a snapshot is sealed was alive when it was read', async () => {
  const { manifest } = await scanWhole([server]);
  expect(manifest.readingEndedAt).toBeLessThanOrEqual(manifest.endedAt ?? 0);
  const row: MadeRow = {
    bytesOfName: Buffer.from('a'),
    node: 0,
    db: 0,
    type: 'string',
    encoding: 'raw',
    expireAt: AS_OF - 1000,
    bytes: 60,
    length: 1,
    idle: 0,
    freq: -1,
  };
  const { root, clean } = await dataFolder();
  const expired = async (more: { readingEndedAt: number | null }) => {
    const { dir, manifest } = await makeSealed(root, `times-${more.readingEndedAt}`, [row]);
    return (await runReport({ dir, manifest: { ...manifest, ...more } }, 'ttl', ReportQuery.parse({}))).report.expired;
  };
  expect(await expired({ readingEndedAt: AS_OF - 60_000 })).toMatchObject({ keys: 0 });
  expect(await expired({ readingEndedAt: null })).toMatchObject({ keys: 1 });
  await clean();
});

it('of a hundred nodes no more are read at once than memory is meant for', async () => {
  const session = await sessionTo(server);
  let open = 0;
  let max = 0;
  const counted: RedisSession = Object.create(session, {
    openSocket: {
      value: async (address: string): Promise<Socket> => {
        const socket = await session.openSocket(address);
        max = Math.max(max, ++open);
        socket.once('close', () => open--);
        return socket;
      },
    },
  });
  const checkpoint = createCheckpoint('s', ScanOptions.parse({ speed: 'fast' }));
  checkpoint.nodes = Array.from({ length: 100 }, () => ({
    address: server.address,
    runId: null,
    role: 'master' as const,
    slots: [],
  }));
  checkpoint.partitions = checkpoint.nodes.map((_, node) => ({
    node,
    db: 0,
    runId: null,
    cursor: '0',
    done: false,
    parts: [],
    keys: 0,
    vanished: 0,
    restarts: 0,
    keysAtStart: null,
    keysAtEnd: null,
  }));
  try {
    const outcome = await scanAllNodes({
      session: counted,
      dir: freshFolder(),
      checkpoint,
      manifest: makeManifest(),
      lengthThresholds: STANDARD_THRESHOLDS,
      meter: new ScanMeter(checkpoint),
      hooks: {
        signal: new AbortController().signal,
        whenStopRequested: new Promise(() => {}),
        regainPlace: () => null,
        getStopRequest: () => null,
        assertNotTakenOver: async () => {},
        getSpeed: () => 'fast',
        mayReadValues: async () => true,
        saveCheckpoint: async () => {},
        report: () => {},
        onSnapshot: async () => {},
        retryForMs: 20_000,
      },
    });
    expect(outcome).toEqual({ kind: 'done' });
    expect(checkpoint.partitions.every((one) => one.done && one.keys === 5)).toBe(true);
    expect(max).toBeGreaterThan(1);
    expect(max).toBeLessThanOrEqual(MAX_NODES_AT_ONCE);
    // Each takes some 5 MiB, of 512 MiB in total.
    expect(MAX_NODES_AT_ONCE).toBeLessThanOrEqual(32);
  } finally {
    await session.close();
  }
});
