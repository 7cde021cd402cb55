import type { Redis } from 'ioredis';
import { formatAddress } from '@/lib/redis/connection/address';
import { createFailure, type ErrorContext, toConnectionError } from '@/lib/redis/connection/connection-errors';
import { type AnnouncedNode, mergeByAddress } from './topology-cluster';

/**
 * Reads the master and the replicas of `name` from one Sentinel. Throws `redis_master_unknown` or `redis_not_sentinel`.
 */
export async function readSentinelNodes(client: Redis, where: ErrorContext, name: string): Promise<AnnouncedNode[]> {
  const ask = async (command: string) => {
    try {
      return (await client.call('SENTINEL', command, name)) as unknown;
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
  const found = await ask('get-master-addr-by-name');
  const port = Array.isArray(found) ? Number(found[1]) : 0;
  if (!Array.isArray(found) || typeof found[0] !== 'string' || !(port > 0 && port <= 65_535)) {
    throw createFailure(
      'redis_master_unknown',
      where,
      (place) =>
        `The Sentinel at ${place} watches no master named "${name}". Check the name (SENTINEL masters lists them).`,
      { name },
    );
  }
  const master: AnnouncedNode = { host: found[0], port, role: 'master', masterAddress: null, slots: [], healthy: true };
  const masterAddress = formatAddress(master.host, master.port);

  let replicas = await ask('replicas').catch(() => ask('slaves'));
  if (!Array.isArray(replicas)) replicas = [];
  const nodes = (replicas as unknown[]).flatMap((entry): AnnouncedNode[] => {
    if (!Array.isArray(entry)) return [];
    const fields = new Map<string, string>();
    for (let i = 0; i + 1 < entry.length; i += 2) fields.set(String(entry[i]), String(entry[i + 1]));
    const host = fields.get('ip') ?? '';
    const replicaPort = Number(fields.get('port'));
    if (host === '' || !(replicaPort > 0 && replicaPort <= 65_535)) return [];
    // Colonnade checks itself whether the replica is reachable and linked to its master: Sentinel's view is up to 10 s
    // old.
    const healthy = !/s_down|o_down/.test(fields.get('flags') ?? '');
    return [{ host, port: replicaPort, role: 'replica', masterAddress, slots: [], healthy }];
  });
  return mergeByAddress([master, ...nodes]);
}
