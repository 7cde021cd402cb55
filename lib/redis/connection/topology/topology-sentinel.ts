import type { Redis } from 'ioredis';
import { formatAddress } from '@/lib/redis/connection/address';
import { createFailure, type ErrorContext, toConnectionError } from '@/lib/redis/connection/connection-errors';
import { type AnnouncedNode, type ClusterReply, isPort, mergeByAddress, toFieldMap, toList } from './topology-cluster';

/** How many names of masters an error lists; a Sentinel rarely watches more, and a longer list cannot be chosen from. */
const MAX_MASTERS = 200;
/** How many of them the sentence names. */
const MAX_NAMED = 10;
/** A name that can be registered: short, without control characters. */
const MASTER_NAME = /^[^\u0000-\u001f\u007f]{1,253}$/;

/**
 * Reads the master and the replicas of `name` from one Sentinel. Throws `redis_not_sentinel` or `redis_master_unknown`;
 * `masters` in the details of the latter are the names that the Sentinel watches, also when `name` is empty.
 */
export async function readSentinelNodes(client: Redis, where: ErrorContext, name: string): Promise<AnnouncedNode[]> {
  const ask = async (command: string, ...args: string[]) => {
    try {
      return (await client.call('SENTINEL', command, ...args)) as ClusterReply;
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
  const [host, port] = name === '' ? [] : toList(await ask('get-master-addr-by-name', name));
  if (typeof host !== 'string' || !isPort(Number(port))) {
    const masters = readMasterNames(await ask('masters').catch(() => null));
    throw createFailure('redis_master_unknown', where, (place) => describeUnknownMaster(place, name, masters), {
      name,
      masters,
    });
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
  const listed = toList(await ask('replicas', name).catch(() => ask('slaves', name)));
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

function readMasterNames(reply: ClusterReply): string[] {
  const names = toList(reply).map((fields) => String(toFieldMap(fields).get('name') ?? ''));
  return names.filter((name) => MASTER_NAME.test(name)).slice(0, MAX_MASTERS);
}

function describeUnknownMaster(place: string, name: string, masters: string[]): string {
  const named = masters.slice(0, MAX_NAMED).join(', ') + (masters.length > MAX_NAMED ? '…' : '');
  const watched = named === '' ? ' It lists no master.' : ` It watches: ${named}.`;
  return name === ''
    ? `The name of the master is missing for the Sentinel at ${place}.${watched}`
    : `The Sentinel at ${place} watches no master named "${name}".${watched}`;
}
