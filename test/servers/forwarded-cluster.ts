import type { MappedAddress } from '@/lib/model/servers/address-map';
import { type RedisCluster, startCluster } from './cluster';
import { freePort, until } from './process';
import type { RedisServer, ServerOptions } from './redis';

/**
 * A cluster whose nodes announce addresses that lead nowhere, as behind NAT or forwarded ports: ports on which nobody
 * listens, or (`names`) host names that are not found, with the right ports.
 */
export interface ForwardedCluster extends RedisCluster {
  /** What leads to each master: the address that it announces, and the one at which it answers. */
  map: MappedAddress[];
}

export async function startForwardedCluster({
  names = false,
  wishes = {},
}: {
  names?: boolean;
  wishes?: ServerOptions;
} = {}): Promise<ForwardedCluster> {
  const cluster = await startCluster({ wishes });
  const map: MappedAddress[] = [];
  for (const [index, { host, port }] of cluster.masters.entries()) {
    const announced = names ? { host: `node-${index}.invalid`, port } : { host, port: await freePort() };
    map.push({ announced, use: { host, port } });
  }
  for (const [index, { announced }] of map.entries()) {
    const client = cluster.masters[index]!.client();
    if (names) {
      await client.config('SET', 'cluster-announce-hostname', announced.host);
      await client.config('SET', 'cluster-preferred-endpoint-type', 'hostname');
    } else await client.config('SET', 'cluster-announce-port', String(announced.port));
  }
  await until('every node to know what the others announce', async () => {
    const texts = await Promise.all(
      cluster.masters.map(async (node: RedisServer) => JSON.stringify(await node.client().call('CLUSTER', 'SHARDS'))),
    );
    return texts.every((text) =>
      map.every(({ announced }) => text.includes(names ? announced.host : String(announced.port))),
    );
  });
  return { ...cluster, map };
}
