import type { Redis } from 'ioredis';
import { formatAddress } from '@/lib/redis/connection/address';
import { createFailure, type ErrorContext, toConnectionError } from '@/lib/redis/connection/connection-errors';
import { type AnnouncedNode, type ClusterReply, isPort, mergeByAddress, toFieldMap, toList } from './topology-cluster';

/**
 * Reads the master and the replicas of `name` from one Sentinel. Throws `redis_master_unknown` or `redis_not_sentinel`.
 */
export async function readSentinelNodes(client: Redis, where: ErrorContext, name: string): Promise<AnnouncedNode[]> {
  const ask = async (command: string) => {
    try {
      return (await client.call('SENTINEL', command, name)) as ClusterReply;
    } catch (error) {
      const { message = '' } = error as Error;
      if (/^ERR unknown command/i.test(message)) {
        throw createFailure(
          'redis_not_sentinel',
          where,
          (place) => `${place} is not a Sentinel. Enter the Sentinels' addresses.`,
        );
      }
      if (/^ERR No such master/i.test(message)) return null;
      throw toConnectionError(error, where, `SENTINEL ${command}`);
    }
  };
  const [host, port] = toList(await ask('get-master-addr-by-name'));
  if (typeof host !== 'string' || !isPort(Number(port))) {
    throw createFailure(
      'redis_master_unknown',
      where,
      (place) =>
        `The Sentinel at ${place} watches no master named "${name}". Check the name (SENTINEL masters lists them).`,
      { name },
    );
  }
  const masterAddress = formatAddress(host, Number(port));
  const master: AnnouncedNode = {
    host,
    port: Number(port),
    role: 'master',
    masterAddress: null,
    slots: [],
    healthy: true,
  };
  // Servers before 5.0 know the command as `slaves`.
  const listed = toList(await ask('replicas').catch(() => ask('slaves')));
  const replicas = listed.map(toFieldMap).flatMap((fields): AnnouncedNode[] => {
    const ip = String(fields.get('ip') ?? '');
    const replicaPort = Number(fields.get('port'));
    if (ip === '' || !isPort(replicaPort)) return [];
    // Colonnade checks itself whether the replica is reachable and linked to its master, because what the Sentinel
    // knows is up to 10 s old.
    const healthy = !/s_down|o_down/.test(String(fields.get('flags') ?? ''));
    return [{ host: ip, port: replicaPort, role: 'replica', masterAddress, slots: [], healthy }];
  });
  return mergeByAddress([master, ...replicas]);
}
