import { afterEach, expect, it } from 'vitest';
import { startCluster } from '@/test/servers/cluster';
import { startRedis } from '@/test/servers/redis';
import { type FoundLeftover, findLeftovers } from './find-leftovers';
import { sessionTo } from './scan-test-session';
import { slotOf } from './slot';
import { restoreName, tombstoneName } from './trash-name';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function all(found: AsyncGenerator<FoundLeftover>): Promise<FoundLeftover[]> {
  const list: FoundLeftover[] = [];
  for await (const one of found) list.push(one);
  return list.sort((a, b) => a.seq - b.seq);
}

it('finds the keys of ours in every database it is told of, and changes nothing', async () => {
  const server = await startRedis({ args: ['--enable-debug-command', 'yes'] });
  closing.push(() => server.stop());
  const client = server.client();
  const nine = server.client({ db: 9 });
  await client.call('DEBUG', 'POPULATE', '5000');
  const tombstone = tombstoneName(1, 'job1', 1);
  const restoring = restoreName(16_383, 'job2', 2);
  await client.rpush(tombstone, 1, 2, 3);
  await nine.hset(restoring, 'f', 'v');
  for (const alike of ['colonnade:trash:{a}:X:1', 'colonnade:other:{a}:x:1', 'colonnade:trash:{}:x:1', 'colonnade:x'])
    await client.set(alike, 'theirs');
  const session = await sessionTo(server);
  closing.push(() => session.close());
  const digest = await client.call('DEBUG', 'DIGEST');
  const found = await all(findLeftovers(session, async () => [0, 9]));
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
  const names = Array.from({ length: 30 }, (_, seq) => tombstoneName(slotOf(Buffer.from(`k${seq}`)), 'job3', seq));
  for (const name of names) await client.set(name, 'x');
  const session = await sessionTo(cluster.masters[1]!, { topology: 'cluster' });
  closing.push(() => session.close());
  const found = await all(findLeftovers(session, async () => [0]));
  expect(found.map(({ name }) => name)).toEqual(names);
  expect(new Set(found.map(({ address }) => address)).size).toBe(3);
});
