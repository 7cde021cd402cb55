import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { InstanceInput } from '@/lib/model/servers/instance';
import { ScanOptions } from '@/lib/model/snapshots/scan';
import { scanToFolder } from '@/lib/scans/scan-to-folder';
import { LONG } from '@/test/long-form.mjs';
import { type RedisServer, startRedis } from '@/test/servers/redis';

/** Names of 4 KB, the longest that are kept, with braces: finding the ids in them takes the most memory. */
const KEYS = LONG ? 8000 : 2500;
const NAME_BYTES = 4000;
const BATCH = 500;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

let redis: RedisServer;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

/** Returns a name of letters that compress badly; every second name has bytes that are no text. */
function longName(i: number): Buffer {
  let state = (i + 1) * 2654435761;
  const name = Buffer.alloc(NAME_BYTES);
  for (let at = 0; at < NAME_BYTES; at++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    name[at] = i % 2 === 1 && at % 4 === 0 ? 0xff : LETTERS.charCodeAt(state % LETTERS.length);
  }
  name.write(`${i}:{`);
  name.write('}', NAME_BYTES - 1);
  return name;
}

it('seals a keyspace of the longest names', async () => {
  const client = redis.client();
  for (let from = 0; from < KEYS; from += BATCH)
    await Promise.all(Array.from({ length: BATCH }, (_, i) => client.set(longName(from + i), 'x')));
  const manifest = await scanToFolder({
    input: InstanceInput.parse({
      name: 'long names',
      topology: 'standalone',
      endpoints: [{ host: '127.0.0.1', port: redis.port }],
    }),
    options: ScanOptions.parse({ facts: 'basic', speed: 'fast', target: 'primary' }),
    dir: mkdtempSync(join(tmpdir(), 'long-names-')),
    allowedDestinations: [],
    signal: new AbortController().signal,
    shouldStop: () => false,
    retryForMs: 10_000,
    onReport: () => {},
  });
  expect(manifest).toMatchObject({ state: 'sealed', keys: KEYS, coverage: { duplicatesRemoved: 0 } });
}, 120_000);
