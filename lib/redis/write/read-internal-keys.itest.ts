import { afterEach, expect, it } from 'vitest';
import type { RedisSession } from '@/lib/redis/connection/session';
import { formatRestoreName, formatTombstoneName } from '@/lib/redis/keys/internal-key-name';
import { computeSlot } from '@/lib/redis/keys/slot';
import { startCluster } from '@/test/servers/cluster';
import { startRedis } from '@/test/servers/redis';
import { sessionTo } from '@/test/servers/scan-session';
import { type InternalKeys, readInternalKeys } from './read-internal-keys';
import { openWritingChannel } from './writing-channel';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

type Found = InternalKeys['found'][number] & { db: number; address: string };

/** Returns all internal keys of these databases on every master, by number. */
async function all(session: RedisSession, databases: number[]): Promise<Found[]> {
  const list: Found[] = [];
  for (const { address } of session.nodes.filter((node) => node.role === 'master'))
    for (const db of databases) {
      const channel = await openWritingChannel(session, address, db);
      for (let cursor = '0'; ; ) {
        const page = await readInternalKeys(channel, cursor, 500);
        list.push(...page.found.map((one) => ({ ...one, db, address })));
        cursor = page.cursor;
        if (cursor === '0') break;
      }
      channel.close();
    }
  return list.sort((a, b) => a.seq - b.seq);
}

it('finds the internal keys of every database, and changes nothing', async () => {
  const server = await startRedis({ args: ['--enable-debug-command', 'yes'] });
  closing.push(() => server.stop());
  const client = server.client();
  const nine = server.client({ db: 9 });
  await client.call('DEBUG', 'POPULATE', '5000');
  const tombstone = formatTombstoneName(1, 'job1', 1);
  const restoring = formatRestoreName(16_383, 'job2', 2);
  await client.rpush(tombstone, 1, 2, 3);
  await nine.hset(restoring, 'f', 'v');
  for (const alike of ['colonnade:trash:{a}:X:1', 'colonnade:other:{a}:x:1', 'colonnade:trash:{}:x:1', 'colonnade:x'])
    await client.set(alike, 'theirs');
  const session = await sessionTo(server);
  closing.push(() => session.close());
  const digest = await client.call('DEBUG', 'DIGEST');
  const found = await all(session, [0, 9]);
  expect(found).toEqual([
    {
      name: tombstone,
      kind: 'tombstone',
      deletionId: 'job1',
      seq: 1,
      db: 0,
      address: server.address,
      type: 'list',
      bytes: expect.any(Number),
    },
    {
      name: restoring,
      kind: 'restore',
      deletionId: 'job2',
      seq: 2,
      db: 9,
      address: server.address,
      type: 'hash',
      bytes: expect.any(Number),
    },
  ]);
  expect(await client.call('DEBUG', 'DIGEST')).toBe(digest);
});

it('finds them on each master of a cluster', async () => {
  const cluster = await startCluster({ masters: 3 });
  closing.push(() => cluster.stop());
  const client = cluster.client();
  const names = Array.from({ length: 30 }, (_, seq) =>
    formatTombstoneName(computeSlot(Buffer.from(`k${seq}`)), 'job3', seq),
  );
  for (const name of names) await client.set(name, 'x');
  const session = await sessionTo(cluster.masters[1]!, { topology: 'cluster' });
  closing.push(() => session.close());
  const found = await all(session, [0]);
  expect(found.map(({ name }) => name)).toEqual(names);
  expect(new Set(found.map(({ address }) => address)).size).toBe(3);
});
