import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { computeSlot } from '@/lib/redis/keys/slot';
import { LONG } from '../../long-form.mjs';
import { type RedisCluster, startCluster } from '../../servers/cluster';
import { until } from '../../servers/process';
import { type RedisServer, startRedis } from '../../servers/redis';
import { startReplica } from '../../servers/replica';
import { startSentinel } from '../../servers/sentinel';
import { temporaryData } from '../../temporary-data';
import { WITH_DIGEST } from '../digest';
import type { Stand } from '../stand';
import { openApart } from './open-apart';
import { MOVED_TYPES, removeAcross } from './topology-change';

/** A replica becomes master in the middle of a deletion, which continues on the new master. LONG=1: every type. */
const NAME = 'app:big';
const options = { args: WITH_DIGEST };
const isMaster = async (server: RedisServer) => String(await server.client().call('ROLE')).startsWith('master');

beforeEach(() => {
  const data = temporaryData();
  return () => data.remove();
});

function closed(stand: Stand): Stand {
  onTestFinished(() => stand.close());
  return stand;
}
function stopped<Server extends { stop(): Promise<void> }>(server: Server): Server {
  onTestFinished(() => server.stop());
  return server;
}

describe('that Sentinel makes', () => {
  it.each(LONG ? MOVED_TYPES : (['zset'] as const))(
    '%s',
    async (type) => {
      const home = stopped(await startRedis(options));
      const heir = stopped(await startReplica(home, options));
      const sentinel = stopped(await startSentinel(home, { name: 'main', replicas: 1 }));
      await removeAcross({
        stand: closed(await openApart(sentinel, { topology: 'sentinel', sentinelName: 'main' })),
        type,
        name: NAME,
        home,
        heir,
        nodes: [heir],
        async change() {
          await sentinel.client().call('SENTINEL', 'FAILOVER', 'main');
          await until('the replica to be master', () => isMaster(heir));
        },
        mayAsk: 'critical_latency',
      });
    },
    300_000,
  );
});

describe('that a replica of a cluster asks for', () => {
  it.each(LONG ? MOVED_TYPES : (['set'] as const))(
    '%s',
    async (type) => {
      const cluster = stopped(await startCluster({ replicas: 1, wishes: options }));
      const slot = computeSlot(Buffer.from(NAME));
      const home = cluster.masters[cluster.ranges.findIndex(([from, to]) => slot >= from && slot <= to)] as RedisServer;
      const heir = await findReplica(cluster, home);
      await removeAcross({
        stand: closed(await openApart(cluster.masters, { topology: 'cluster' })),
        type,
        name: NAME,
        home,
        heir,
        nodes: [heir],
        change: () => heir.client().call('CLUSTER', 'FAILOVER'),
        mayAsk: 'critical_latency',
      });
      expect(await isMaster(heir)).toBe(true);
    },
    300_000,
  );
});

async function findReplica(cluster: RedisCluster, master: RedisServer): Promise<RedisServer> {
  const id = String(await master.client().call('CLUSTER', 'MYID'));
  for (const node of cluster.replicas) {
    const nodes = String(await node.client().call('CLUSTER', 'NODES'));
    if (nodes.split('\n').some((line) => line.includes('myself') && line.includes(id))) return node;
  }
  throw new Error('The master has no replica.');
}
