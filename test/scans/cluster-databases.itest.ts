import { afterAll, describe, expect, it } from 'vitest';
import { openSession } from '@/lib/redis/connection/connect';
import { createDestinationPolicy } from '@/lib/redis/connection/destinations/destination-policy';
import { readConnectionReport } from '@/lib/redis/server/connection-report';
import { type RedisCluster, startCluster } from '../servers/cluster';
import { toTarget } from '../servers/target';
import { serverVersions } from '../servers/versions';
import { scanWhole } from './scan';

/** A cluster of Valkey 9 may have several databases; all other clusters have only database 0. */

const policy = createDestinationPolicy({ allow: '', registered: [] });
const binary = serverVersions(602).findLast(({ valkey, number }) => valkey && number >= 900)?.binary;
const stops: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const stop of stops) await stop();
});

async function started(wishes: NonNullable<Parameters<typeof startCluster>[0]>['wishes']): Promise<RedisCluster> {
  const cluster = await startCluster({ masters: 2, ...(wishes && { wishes }) });
  stops.unshift(cluster.stop);
  return cluster;
}

const KEYS = 60;
/** Writes the same names to each of the databases. */
async function fill(cluster: RedisCluster, databases: number[]): Promise<void> {
  for (const db of databases)
    for (const node of cluster.masters) {
      const client = node.client({ db });
      // Keys in slots of the other node are refused.
      await Promise.allSettled(Array.from({ length: KEYS }, (_, i) => client.set(`key:${i}`, 'x')));
    }
}

describe.skipIf(binary === undefined)('a cluster of several databases', () => {
  const acl = ['user blind on >pw ~* &* +@all -info'];
  const listDatabases = ({ rows }: { rows: { db: number }[] }) => {
    const counts: Record<number, number> = {};
    for (const { db } of rows) counts[db] = (counts[db] ?? 0) + 1;
    return counts;
  };

  it('is read whole, or those databases that the instance or the scan names', async () => {
    const cluster = await started({ ...(binary && { binary }), args: ['--cluster-databases', '4'], acl });
    await fill(cluster, [0, 2, 3]);
    const input = { topology: 'cluster' };
    expect(listDatabases(await scanWhole(cluster.masters, { input }))).toEqual({ 0: KEYS, 2: KEYS, 3: KEYS });
    const limited = { ...input, databases: [0, 2] };
    expect(listDatabases(await scanWhole(cluster.masters, { input: limited }))).toEqual({ 0: KEYS, 2: KEYS });
    const options = { databases: [3] };
    expect(listDatabases(await scanWhole(cluster.masters, { input, options }))).toEqual({ 3: KEYS });
    // Without INFO the databases are found by selecting them.
    const blind = { ...input, username: 'blind', secrets: { password: 'pw' } };
    expect(listDatabases(await scanWhole(cluster.masters, { input: blind }))).toEqual({ 0: KEYS, 2: KEYS, 3: KEYS });
    const target = toTarget(cluster.masters, { topology: 'cluster', databases: [0, 9] });
    const session = await openSession(target, policy);
    stops.unshift(() => session.close());
    await expect(readConnectionReport(session)).rejects.toMatchObject({
      code: 'redis_no_database',
      details: { db: 9 },
    });
  });
});

it('a cluster of one database refuses another one, and is whole without INFO', async () => {
  const cluster = await started({ acl: ['user blind on >pw ~* &* +@all -info'] });
  await fill(cluster, [0]);
  const session = await openSession(toTarget(cluster.masters, { topology: 'cluster', databases: [3] }), policy);
  stops.unshift(() => session.close());
  await expect(readConnectionReport(session)).rejects.toMatchObject({
    code: 'redis_no_database',
    message: expect.stringContaining('A Redis Cluster has database 0 only'),
  });
  const input = { topology: 'cluster', username: 'blind', secrets: { password: 'pw' } };
  const { rows, manifest } = await scanWhole(cluster.masters, { input });
  expect(rows).toHaveLength(KEYS);
  expect(manifest.coverage).toMatchObject({ partial: false, partialReasons: [] });
});
