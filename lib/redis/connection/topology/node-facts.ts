import type { Redis } from 'ioredis';
import type { NodeFacts } from '@/lib/model/servers/server-facts';
import { formatAddress } from '@/lib/redis/connection/address';
import { isReplyError } from '@/lib/redis/connection/connection-errors';
import { computeSkew } from '@/lib/redis/info/clock-skew';
import { detectFlavor, type Info, parseInfo, parseKeyspace, readInfoNumber } from '@/lib/redis/info/parse-info';
import { RedisReplyError } from '@/lib/redis/protocol/any-reply';
import { classifyRefusal } from '@/lib/redis/protocol/classify-refusal';
import type { AnnouncedNode } from './topology-cluster';

/**
 * Reads INFO of a node. Returns null if the command is refused, with whatever error text: nothing depends on INFO
 * alone. It throws what the server reports about itself (it is loading, it requires a password) and connection
 * failures.
 */
export async function readInfo(client: Redis): Promise<Info | null> {
  try {
    return parseInfo(await client.info());
  } catch (error) {
    if (!isReplyError(error)) throw error;
    const { kind, server } = classifyRefusal(new RedisReplyError(error.message));
    if (kind === 'transient' || server !== null) throw error;
    return null;
  }
}

/** The facts of a node that has not been contacted yet: only what was announced. */
export function toUnknownNodeFacts(announced: AnnouncedNode): NodeFacts {
  return {
    address: formatAddress(announced.host, announced.port),
    host: announced.host,
    port: announced.port,
    runId: null,
    role: announced.role,
    masterAddress: announced.masterAddress,
    slots: announced.slots,
    healthy: false,
    version: null,
    keys: null,
    usedMemoryBytes: null,
    maxmemoryBytes: null,
  };
}

/**
 * Reads the facts of an announced node from its INFO. Without INFO the role is read with ROLE and the rest stays null.
 * `reportedMaster` = the address of its master that the node itself reports, whatever others announce.
 */
export async function readNodeFacts(
  client: Redis,
  announced: AnnouncedNode,
): Promise<{ facts: NodeFacts; reportedMaster: string | null }> {
  const node = toUnknownNodeFacts(announced);
  const before = Date.now();
  const info = await readInfo(client);
  const after = Date.now();
  if (!info) {
    const { role, reportedMaster } = await readRole(client);
    const masterAddress = announced.masterAddress ?? reportedMaster;
    return {
      facts: { ...node, role: role ?? announced.role, masterAddress, healthy: announced.healthy },
      reportedMaster,
    };
  }
  const keyspace = parseKeyspace(info);
  const serverMicros = readInfoNumber(info, 'server_time_usec');
  const masterHost = info.get('master_host');
  const masterPort = readInfoNumber(info, 'master_port');
  const reportedRole = info.get('role');
  const isReplica = reportedRole === 'slave' || reportedRole === 'replica';
  const role = reportedRole === 'master' ? 'master' : isReplica ? 'replica' : announced.role;
  const isSynced = role === 'master' || info.get('master_link_status') !== 'down';
  const reportedMaster = masterHost && masterPort ? formatAddress(masterHost, masterPort) : null;
  const facts = {
    ...node,
    runId: info.get('run_id') ?? null,
    role,
    masterAddress: role === 'master' ? null : (announced.masterAddress ?? reportedMaster),
    healthy: announced.healthy && isSynced && info.get('loading') !== '1',
    version: detectFlavor(info).version,
    // null instead of 0: a server that hides the section (a proxy) must not look empty.
    keys: info.has('redis_version') || keyspace.length > 0 ? keyspace.reduce((sum, { keys }) => sum + keys, 0) : null,
    usedMemoryBytes: readInfoNumber(info, 'used_memory'),
    maxmemoryBytes: readInfoNumber(info, 'maxmemory'),
    clockSkewMs: serverMicros === null ? null : computeSkew(Math.floor(serverMicros / 1000), before, after),
  };
  return { facts, reportedMaster };
}

async function readRole(client: Redis): Promise<{ role: 'master' | 'replica' | null; reportedMaster: string | null }> {
  try {
    const [role, host, port] = (await client.call('ROLE')) as [string, unknown, unknown];
    if (role !== 'slave' && role !== 'replica')
      return { role: role === 'master' ? 'master' : null, reportedMaster: null };
    return { role: 'replica', reportedMaster: host && port ? formatAddress(String(host), Number(port)) : null };
  } catch {
    return { role: null, reportedMaster: null };
  }
}

/**
 * Sorts masters first, by their first slot, then replicas; equal ones by address, so that the order is always the same.
 */
export function sortNodes(nodes: NodeFacts[]): NodeFacts[] {
  const rank = (node: NodeFacts) => (node.role === 'master' ? 0 : node.role === 'replica' ? 1 : 2);
  const getFirstSlot = (node: NodeFacts) => node.slots[0]?.[0] ?? 16_384;
  return nodes.sort(
    (a, b) => rank(a) - rank(b) || getFirstSlot(a) - getFirstSlot(b) || (a.address < b.address ? -1 : 1),
  );
}
