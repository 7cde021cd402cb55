import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PartitionCheckpoint, ScanOptions } from '@/lib/model/snapshots/scan';
import type { RedisSession } from '@/lib/redis/connection/session';
import { createNodeThrottle } from '@/lib/redis/throttle/throttle';
import { type RedisServer, startRedis } from '@/test/servers/redis';
import { inputFor, sessionTo } from '@/test/servers/scan-session';
import { deleteUnknownParts } from './delete-parts';
import { createCheckpoint } from './scan-checkpoint';
import { type PartitionScan, scanToParts } from './scan-to-parts';

/** Tests critical latency and a lost lease at the moment when the last page has been read. */
let redis: RedisServer;
beforeAll(async () => {
  redis = await startRedis();
  for (let i = 0; i < 5; i++) await redis.client().set(`key:${i}`, 'x');
});
afterAll(() => redis.stop());

function stand(session: RedisSession, dir = mkdtempSync(join(tmpdir(), 'partition-'))) {
  const checkpoint = createCheckpoint('s', ScanOptions.parse({}));
  const partition: PartitionCheckpoint = {
    ...{ node: 0, db: 0, runId: null, cursor: '0', done: false, parts: [], keys: 0, vanished: 0, restarts: 0 },
    ...{ keysAtStart: 5, keysAtEnd: null },
  };
  checkpoint.partitions = [partition];
  const read = (signal: AbortSignal, more: Partial<PartitionScan> = {}) =>
    scanToParts({
      ...{
        dir,
        checkpoint,
        partition,
        onKeysRead: () => {},
        shouldStop: () => false,
        isTakenOver: () => false,
        assertNotTakenOver: async () => {},
      },
      ...{ input: inputFor(session, redis, { signal }), save: async () => {}, ...more },
    });
  return { dir, checkpoint, partition, read };
}

it('what is read to its end when the scan is stopped is not read again', async () => {
  const session = await sessionTo(redis);
  const { partition, read } = stand(session);
  const abort = new AbortController();
  await read(abort.signal, { onKeysRead: () => abort.abort(new Error('critical')) }).catch(() => {});
  expect(abort.signal.aborted).toBe(true);
  expect(partition).toMatchObject({ done: true, cursor: '0', keys: 5, parts: [expect.any(String)] });
  await session.close();
});

it('nothing is written by whoever has lost the folder', async () => {
  const session = await sessionTo(redis);
  const { dir, partition, read } = stand(session);
  const abort = new AbortController();
  let saved = 0;
  const reading = read(abort.signal, {
    // The first page is in memory, and its part is not being written yet.
    shouldStop: () => {
      abort.abort(new Error('lease lost'));
      return false;
    },
    isTakenOver: () => abort.signal.aborted,
    save: async () => {
      saved++;
    },
    input: inputFor(session, redis, { signal: abort.signal, throttle: makeThrottle(1) }),
  });
  await expect(reading).rejects.toThrow('lease lost');
  expect([saved, partition.parts, readdirSync(dir)]).toEqual([0, [], []]);
  await session.close();
});

it('a run that is overtaken before its part has a name leaves the part of the next one alone', async () => {
  const session = await sessionTo(redis);
  const overtaken = stand(session);
  const next = stand(session, overtaken.dir);
  const { signal } = new AbortController();
  const reading = overtaken.read(signal, {
    async assertNotTakenOver() {
      await deleteUnknownParts(next.dir, next.checkpoint);
      await next.read(signal);
      throw new Error('lease lost');
    },
  });
  await expect(reading).rejects.toThrow('lease lost');
  expect(next.partition).toMatchObject({ done: true, keys: 5, parts: [expect.any(String)] });
  expect(overtaken.partition.parts).toEqual([]);
  expect(readdirSync(overtaken.dir)).toEqual(next.partition.parts);
  await session.close();
});

/** Returns a throttle that gives pages of about `count` keys. */
const makeThrottle = (count: number) => ({ ...createNodeThrottle('fast'), count: () => count });
