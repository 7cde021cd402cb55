import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import type { SettingSavings } from '@/lib/model/reports/setting-savings';
import { InstanceInput } from '@/lib/model/servers/instance';
import { ScanOptions } from '@/lib/model/snapshots/scan';
import { scanToFolder } from '@/lib/scans/scan-to-folder';
import { runReport } from '@/lib/snapshots/reports/run-report';
import { startRedis } from '../servers/redis';
import { serverVersions } from '../servers/versions';

/**
 * Compares the estimate of what another limit saves with what it really saves: a server is filled and scanned, the
 * setting is changed, the keys are written again by DUMP and RESTORE, and MEMORY USAGE is read before and after.
 */
const TOLERANCE = 0.25;

async function fill(client: Redis): Promise<void> {
  const pipeline = client.pipeline();
  const word = (i: number, length: number) => `w${(i * 7919).toString(36)}${'abcdefghij'.repeat(10)}`.slice(0, length);
  for (let k = 0; k < 60; k++) {
    const range = (n: number) => Array.from({ length: n }, (_, i) => i);
    // More elements than a server's default limit allows, with short values.
    const n = 520 + k * 8;
    pipeline.hset(`many:${k}`, Object.fromEntries(range(n).map((i) => [`field${i}`, word(i, 8 + (k % 40))])));
    // Not near the limit of 64: the size of each skiplist element is random, and only five are sampled.
    pipeline.zadd(`rank:${k}`, ...range(n).flatMap((i) => [i * 3, `member${word(i, 6 + (k % 30))}${i}`]));
    pipeline.sadd(`ids:${k}`, ...range(n).map((i) => 1_000_000 + i * 13));
    // Few elements with longer values.
    pipeline.hset(`long:${k}`, Object.fromEntries(range(20 + k).map((i) => [`f${i}`, `${word(i, 80 + (k % 40))}`])));
    // A small hash shows the present compact encoding.
    pipeline.hset(`small:${k}`, { a: '1', b: '2' });
  }
  for (const [error] of (await pipeline.exec()) ?? []) if (error) throw error;
}

/** Returns the sum of MEMORY USAGE of all keys, with every element sampled. */
async function measureMemory(client: Redis, keys: readonly string[]): Promise<number> {
  let sum = 0;
  for (const key of keys) sum += Number(await client.call('MEMORY', 'USAGE', key, 'SAMPLES', '0'));
  return sum;
}

async function rewritten(client: Redis, pattern: string, setting: string, limit: number): Promise<number> {
  const keys = await client.keys(pattern);
  const before = await measureMemory(client, keys);
  await client.call('CONFIG', 'SET', setting, String(limit));
  for (const key of keys) {
    const dump = (await client.dumpBuffer(key))!;
    await client.call('RESTORE', key, '0', dump, 'REPLACE');
  }
  return before - (await measureMemory(client, keys));
}

const CASES = [
  { pattern: 'many:*', setting: 'hash-max-listpack-entries', limit: 1024 },
  { pattern: 'rank:*', setting: 'zset-max-listpack-entries', limit: 1024 },
  { pattern: 'ids:*', setting: 'set-max-intset-entries', limit: 1024 },
  { pattern: 'long:*', setting: 'hash-max-listpack-value', limit: 128 },
];

describe.each(serverVersions(602))('$version', (version) => {
  // Hash tables of Valkey 8.1 and later take less for each element than the estimate assumes.
  const isEstimated = !(version.valkey && version.number >= 801);
  const promise = isEstimated ? 'saves what was estimated, within a quarter' : 'says that nothing is estimated';
  it(promise, { timeout: 400_000 }, async () => {
    const old = version.number < 700;
    const server = await startRedis({ binary: version.binary });
    const dir = mkdtempSync(join(tmpdir(), 'colonnade-savings-'));
    try {
      const client = server.client();
      await fill(client);
      const manifest = await scanToFolder({
        input: InstanceInput.parse({
          name: 'test',
          topology: 'standalone',
          endpoints: [{ host: server.host, port: server.port }],
        }),
        options: ScanOptions.parse({ speed: 'fast', facts: 'full', counts: 'all' }),
        dir,
        allowedDestinations: [],
        signal: new AbortController().signal,
        shouldStop: () => false,
        retryForMs: 20_000,
        onReport: () => {},
      });
      const { report } = await runReport({ dir, manifest: manifest! }, 'types', { savings: true });
      const { savings, unknown, keys: inTables, notEstimatedFor } = report.savings as SettingSavings;
      expect(inTables).toBeGreaterThan(0);
      if (!isEstimated) {
        expect([savings, notEstimatedFor]).toEqual([[], expect.stringMatching(/^Valkey \d+\.\d+/)]);
        return;
      }
      expect(unknown).toBe(0);
      const estimates: Record<string, [estimate: number, saved: number, keys: number]> = {};
      for (const { pattern, setting, limit } of CASES) {
        const name = old ? setting.replace('listpack', 'ziplist') : setting;
        const saved = await rewritten(client, pattern, name, limit);
        const found = savings.find((one) => one.setting === name && one.limit === limit);
        expect(found, `${name} ${limit} in ${JSON.stringify(savings)}`).toBeDefined();
        estimates[`${name} ${limit}`] = [found!.savedBytes, saved, found!.keys];
      }
      for (const [name, [estimate, saved, keys]] of Object.entries(estimates)) {
        // A scan samples five elements of each key, so a key near a limit may be taken for one beyond it.
        expect(keys, name).toBeGreaterThanOrEqual(50);
        expect(saved, name).toBeGreaterThan(0);
        expect(Math.abs(estimate - saved) / saved, `${name}: ${JSON.stringify(estimates)}`).toBeLessThan(TOLERANCE);
      }
    } finally {
      rmSync(dir, { recursive: true, force: true });
      await server.stop();
    }
  });
});
