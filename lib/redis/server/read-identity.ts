import { listEnteredEndpoints } from '@/lib/model/servers/address-map';
import type { ConnectionTarget, InstanceSettings } from '@/lib/model/servers/instance';
import type { NodeFacts } from '@/lib/model/servers/server-facts';
import type { NodeIdentity, ServerIdentity } from '@/lib/model/servers/server-identity';
import { formatAddress } from '@/lib/redis/connection/address';
import { forEachNode } from '@/lib/redis/connection/for-each-node';
import type { RedisSession } from '@/lib/redis/connection/session';
import { readInfo } from '@/lib/redis/connection/topology/node-facts';
import { readInfoNumber } from '@/lib/redis/info/parse-info';

/** Reads which servers answer in an open session. If INFO is denied, only addresses are known. */
export async function readIdentity(session: RedisSession): Promise<ServerIdentity> {
  const nodes: NodeIdentity[] = [];
  await forEachNode(session.nodes, async (node) => {
    const { address, role, version, runId } = node;
    nodes.push({ address, role, version, runId, ...(await readHistory(session, node)) });
  });
  return { ...toRegistration(session.target), nodes, seenAt: Date.now() };
}

/** How an instance is registered, in the form that is compared and stored. */
export const toRegistration = (
  target: Pick<InstanceSettings | ConnectionTarget, 'topology' | 'endpoints' | 'sentinelName'>,
): Pick<ServerIdentity, 'topology' | 'endpoints' | 'sentinelName'> => ({
  topology: target.topology,
  endpoints: target.endpoints.map(({ host, port }) => formatAddress(host.toLowerCase(), port)).sort(),
  sentinelName: target.sentinelName ?? null,
});

/**
 * All addresses that a person has entered for an instance, Sentinels included: an address entered as a Sentinel may be
 * a data server.
 */
export const listEnteredAddresses = (settings: Pick<InstanceSettings, 'endpoints' | 'addressMap'>): string[] =>
  listEnteredEndpoints(settings)
    .map(({ host, port }) => formatAddress(host.toLowerCase(), port))
    .sort();

/**
 * The nodes that a person has entered for an instance. Sentinels are not included: they watch the servers of many
 * instances.
 */
export const listRegisteredNodes = (
  settings: Pick<InstanceSettings, 'topology' | 'endpoints' | 'addressMap'>,
): { address: string; runId: null }[] =>
  listEnteredAddresses(settings.topology === 'sentinel' ? { ...settings, endpoints: [] } : settings).map((address) => ({
    address,
    runId: null,
  }));

type History = Omit<NodeIdentity, 'address' | 'role' | 'version' | 'runId'>;
const NO_HISTORY: History = {
  replicationId: null,
  replicationId2: null,
  offset: null,
  offset2: null,
  startedAt: null,
};
/** A server writes an id that it does not have as zeros, and a missing line is read as the empty text. */
const NO_ID = /^0*$/;

/** Reads what identifies the data of a master: its replication ids and offsets, and when the process started. */
async function readHistory(session: RedisSession, { address, role }: NodeFacts): Promise<History> {
  if (role !== 'master' || session.problems.has(address)) return NO_HISTORY;
  const info = await readInfo(await session.client(address));
  if (!info) return NO_HISTORY;
  const readId = (name: string) => {
    const text = info.get(name) ?? '';
    return NO_ID.test(text) ? null : text;
  };
  const uptime = readInfoNumber(info, 'uptime_in_seconds');
  return {
    replicationId: readId('master_replid'),
    replicationId2: readId('master_replid2'),
    offset: readInfoNumber(info, 'master_repl_offset'),
    offset2: readInfoNumber(info, 'second_repl_offset'),
    startedAt: uptime === null ? null : Date.now() - uptime * 1000,
  };
}
