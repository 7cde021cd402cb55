import { Cluster, type Redis } from 'ioredis';
import { until } from './process';
import { type RedisServer, type ServerOptions, startRedis } from './redis';

const SLOTS = 16_384;

export interface RedisCluster {
  masters: RedisServer[];
  replicas: RedisServer[];
  nodes: RedisServer[];
  /** Slot ranges that each master has at the start. */
  ranges: [number, number][];
  /** ioredis Cluster for seeding; closed by stop(). */
  client(): Cluster;
  /** Moves slots with their keys, as a resharding does. */
  moveSlots(from: RedisServer, to: RedisServer, slots: number[]): Promise<void>;
  stop(): Promise<void>;
}

const id = (client: Redis) => client.call('CLUSTER', 'MYID') as Promise<string>;
const clusterInfo = (client: Redis) => client.call('CLUSTER', 'INFO') as Promise<string>;

export async function startCluster(
  options: { masters?: number; replicas?: number; wishes?: ServerOptions } = {},
): Promise<RedisCluster> {
  const mastersCount = options.masters ?? 3;
  const perMaster = options.replicas ?? 0;
  const wishes: ServerOptions = {
    ...options.wishes,
    args: ['--cluster-enabled', 'yes', '--cluster-node-timeout', '3000', ...(options.wishes?.args ?? [])],
  };
  if (options.wishes?.tls) wishes.args?.push('--tls-cluster', 'yes');
  const nodes = await Promise.all(Array.from({ length: mastersCount * (1 + perMaster) }, () => startRedis(wishes)));
  const masters = nodes.slice(0, mastersCount);
  const replicas = nodes.slice(mastersCount);
  const clients = nodes.map((node) => node.client());

  const ranges = masters.map((_, index): [number, number] => [
    Math.floor((index * SLOTS) / mastersCount),
    Math.floor(((index + 1) * SLOTS) / mastersCount) - 1,
  ]);
  for (const [index, client] of clients.entries()) {
    await client.call('CLUSTER', 'SET-CONFIG-EPOCH', String(index + 1));
    const range = ranges[index];
    if (range) await client.call('CLUSTER', 'ADDSLOTSRANGE', String(range[0]), String(range[1]));
  }
  // Every node gets a MEET for every other, because waiting for gossip to spread takes seconds.
  for (const client of clients) {
    for (const { host, port } of nodes) await client.call('CLUSTER', 'MEET', host, String(port));
  }
  const everywhere = (text: string) =>
    until(text, async () => {
      const infos = await Promise.all(clients.map(clusterInfo));
      return infos.every((info) => info.includes(text));
    });
  await everywhere(`cluster_known_nodes:${nodes.length}`);
  for (const [index, client] of clients.slice(mastersCount).entries()) {
    const masterId = await id(clients[index % mastersCount] as Redis);
    await until('the replica to know its master', async () => {
      await client.call('CLUSTER', 'REPLICATE', masterId);
      return true;
    });
  }
  await everywhere('cluster_state:ok');
  for (const client of clients.slice(mastersCount)) {
    await until('cluster replicas in sync', async () =>
      (await client.info('replication')).includes('master_link_status:up'),
    );
  }
  if (replicas.length > 0) {
    await until('the cluster to list its replicas', async () => {
      const slots = await Promise.all(clients.map((client) => client.call('CLUSTER', 'SLOTS') as Promise<unknown[][]>));
      return slots.every((ranges) => ranges.every((range) => range.length >= 3 + perMaster));
    });
  }

  const opened = new Set<Cluster>();
  return {
    masters,
    replicas,
    nodes,
    ranges,
    client() {
      const { certificates, password } = nodes[0] as RedisServer;
      const cluster = new Cluster(
        nodes.map(({ host, port }) => ({ host, port })),
        {
          redisOptions: {
            ...(password ? { password } : {}),
            ...(certificates
              ? { tls: { ca: certificates.ca, cert: certificates.clientCert, key: certificates.clientKey } }
              : {}),
          },
        },
      );
      cluster.on('error', () => undefined);
      opened.add(cluster);
      return cluster;
    },
    async moveSlots(from, to, slots) {
      const source = clients[nodes.indexOf(from)] as Redis;
      const target = clients[nodes.indexOf(to)] as Redis;
      const [sourceId, targetId] = await Promise.all([id(source), id(target)]);
      const auth = from.password ? ['AUTH', from.password] : [];
      for (const slot of slots.map(String)) {
        await target.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', sourceId);
        await source.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', targetId);
        for (;;) {
          const keys = (await source.callBuffer('CLUSTER', 'GETKEYSINSLOT', slot, '1000')) as Buffer[];
          if (keys.length === 0) break;
          await source.call('MIGRATE', to.host, String(to.port), '', '0', '5000', ...auth, 'KEYS', ...keys);
        }
        await target.call('CLUSTER', 'SETSLOT', slot, 'NODE', targetId);
        await source.call('CLUSTER', 'SETSLOT', slot, 'NODE', targetId);
        for (const master of masters) {
          const client = clients[nodes.indexOf(master)] as Redis;
          if (client !== source && client !== target) await client.call('CLUSTER', 'SETSLOT', slot, 'NODE', targetId);
        }
      }
    },
    async stop() {
      for (const cluster of opened) cluster.disconnect();
      opened.clear();
      await Promise.all(nodes.map((node) => node.stop()));
    },
  };
}
