import calculateSlot from 'cluster-key-slot';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RedisCluster, startCluster } from '@/test/servers/cluster';
import { inputFor, readAll, sessionTo } from '@/test/servers/scan-session';
import { seedMixed } from '@/test/servers/seed';

let cluster: RedisCluster;
beforeAll(async () => {
  cluster = await startCluster({ masters: 2, replicas: 1 });
  await seedMixed(cluster.client(), 4000);
});
afterAll(() => cluster?.stop());

it('reads every key of every master once, each in a slot of that master', async () => {
  const session = await sessionTo(cluster.masters[0]!, { topology: 'cluster' });
  const seen = new Set<string>();
  for (const [index, master] of cluster.masters.entries()) {
    const { keys } = await readAll(inputFor(session, master, { clustered: true, node: index }));
    const [from, to] = cluster.ranges[index]!;
    for (const [name, key] of keys) {
      expect(seen.has(name)).toBe(false);
      seen.add(name);
      expect(key.slot).toBe(calculateSlot(key.name));
      expect(key.slot >= from && key.slot <= to).toBe(true);
      expect(key.type).not.toBeNull();
    }
  }
  expect(seen.size).toBe(4000);
  await session.close();
});

it('a replica answers for the slots of its master', async () => {
  const session = await sessionTo(cluster.masters[0]!, { topology: 'cluster' });
  let count = 0;
  for (const replica of cluster.replicas) {
    const { keys } = await readAll(inputFor(session, replica, { clustered: true, role: 'replica' }));
    for (const key of keys.values())
      expect(key).toMatchObject({ type: expect.any(String), encoding: expect.any(String) });
    count += keys.size;
  }
  expect(count).toBe(4000);
  await session.close();
});

it('a key in a slot on the move is read where it is', async () => {
  const [source, target] = cluster.masters as [(typeof cluster.masters)[0], (typeof cluster.masters)[0]];
  const [from, to] = [source.client(), target.client()];
  const key = 'moving:key';
  const slot = String(calculateSlot(key));
  const owner = calculateSlot(key) <= cluster.ranges[0]![1] ? 0 : 1;
  const [old, next] = owner === 0 ? [from, to] : [to, from];
  const [oldServer, nextServer] = owner === 0 ? [source, target] : [target, source];
  const [oldId, nextId] = (await Promise.all([old.call('CLUSTER', 'MYID'), next.call('CLUSTER', 'MYID')])) as string[];
  await next.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', oldId!);
  await old.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', nextId!);
  await next
    .pipeline([['asking'], ['hset', key, ...Array.from({ length: 600 }, (_, i) => [`f${i}`, `v${i}`]).flat()]])
    .exec();

  const session = await sessionTo(source, { topology: 'cluster' });
  const there = await readAll(inputFor(session, nextServer, { clustered: true }));
  expect(there.keys.get(Buffer.from(key).toString('hex'))).toMatchObject({ type: 'hash', encoding: 'hashtable' });
  expect(there.batches.reduce((sum, batch) => sum + (batch.moved ?? 0), 0)).toBe(1);
  const here = await readAll(inputFor(session, oldServer, { clustered: true }));
  expect(here.keys.has(Buffer.from(key).toString('hex'))).toBe(false);
  await session.close();
});
