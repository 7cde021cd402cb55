import { isIP } from 'node:net';
import type { Redis } from 'ioredis';
import { findMaster } from '@/lib/model/servers/serves-slot';
import { joinSlotRanges } from '@/lib/model/servers/slot-ranges';
import { append } from '@/lib/model/text/append';
import { formatAddress } from '@/lib/redis/connection/address';
import { createFailure, type ErrorContext, toConnectionError } from '@/lib/redis/connection/connection-errors';

/** A node as its topology announces it; it has not been contacted yet. */
export interface AnnouncedNode {
  host: string;
  port: number;
  role: 'master' | 'replica' | 'unknown';
  masterAddress: string | null;
  slots: [number, number][];
  healthy: boolean;
  /** The name that the node announces in addition to its address: its certificate may be issued for that name. */
  hostname?: string | null;
  /** The id of a cluster node; absent = it was not announced. */
  id?: string | undefined;
  /** The announced address, if the address map replaces it; `host` and `port` are then the address to use. */
  mappedFrom?: string;
}

export type ClusterReply = string | number | null | ClusterReply[];

/**
 * Reads the nodes of a cluster with CLUSTER SHARDS, else SLOTS, else NODES: managed services and ACLs deny one or
 * another. A preferred endpoint of nil (in SHARDS of Redis 7.0: empty) means the host that was asked, as the protocol
 * defines, whatever address is listed with it. An endpoint of `?` means that the node does not know it, so its address
 * is used. SHARDS lists replicas in any state; SLOTS lists only healthy ones and no node without slots.
 */
export async function readClusterNodes(client: Redis, where: ErrorContext): Promise<AnnouncedNode[]> {
  const tries: [string, (reply: ClusterReply) => AnnouncedNode[]][] = [
    ['SHARDS', (reply) => readShards(reply, where)],
    ['SLOTS', (reply) => readSlots(reply, where)],
    ['NODES', (reply) => readNodes(String(reply), where)],
  ];
  let firstError: unknown;
  for (const [command, read] of tries) {
    try {
      const nodes = mergeByAddress(read((await client.call('CLUSTER', command)) as ClusterReply));
      if (nodes.length > 0) return nodes;
    } catch (error) {
      const reported = toConnectionError(error, where, `CLUSTER ${command}`);
      if (reported.code === 'redis_not_cluster' || reported.code === 'redis_timeout') throw reported;
      firstError ??= reported;
    }
  }
  throw (
    firstError ??
    createFailure(
      'redis_not_cluster',
      where,
      (place) => `${place} lists no cluster nodes with slots. Is the cluster set up?`,
    )
  );
}

/** Returns the id of the node that is asked; null = it does not permit CLUSTER NODES. */
export async function readOwnId(client: Redis): Promise<string | null> {
  const text = await client.call('CLUSTER', 'NODES').catch(() => '');
  return /^(\S+) \S+ \S*\bmyself\b/m.exec(String(text))?.[1] ?? null;
}

/** Merges nodes that are announced with the same address: their slots are joined, and master wins over replica. */
export function mergeByAddress(nodes: AnnouncedNode[]): AnnouncedNode[] {
  const byAddress = new Map<string, AnnouncedNode>();
  for (const node of nodes) {
    const address = formatAddress(node.host, node.port);
    const seen = byAddress.get(address);
    if (!seen) byAddress.set(address, { ...node, slots: [...node.slots] });
    else {
      append(seen.slots, node.slots);
      if (node.role === 'master') Object.assign(seen, { role: 'master', masterAddress: null });
      seen.healthy &&= node.healthy;
      seen.hostname ??= node.hostname;
    }
  }
  return [...byAddress.values()].map((node) => ({ ...node, slots: joinSlotRanges(node.slots) }));
}

const chooseKnown = (host: unknown, fallback: string) =>
  typeof host === 'string' && host !== '' && host !== '?' && host !== 'NULL' ? host : fallback;

/** `preferred` is undefined if the server does not know preferred endpoints; `askedHost` sent the list. */
const chooseHost = (preferred: unknown, ip: unknown, askedHost: string) =>
  preferred === null || preferred === '' ? askedHost : chooseKnown(preferred, chooseKnown(ip, askedHost));

const HOSTNAME = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_.-]*[a-z0-9])?$/i;
const parseHostname = (name: unknown): string | null =>
  typeof name === 'string' && HOSTNAME.test(name) && isIP(name) === 0 ? name : null;

const parseId = (id: unknown): string | undefined => (typeof id === 'string' && id !== '' ? id : undefined);

export const isPort = (port: number) => Number.isInteger(port) && port > 0 && port <= 65_535;

function parseSlotRange(from: unknown, to: unknown): [number, number] | null {
  const [low, high] = [Number(from), Number(to)];
  return Number.isInteger(low) && Number.isInteger(high) && low >= 0 && low <= high && high <= 16_383
    ? [low, high]
    : null;
}

/** Map replies arrive as flat lists of names and values. Any other reply becomes an empty map. */
export function toFieldMap(reply: ClusterReply): Map<string, ClusterReply> {
  const map = new Map<string, ClusterReply>();
  if (Array.isArray(reply))
    for (let i = 0; i + 1 < reply.length; i += 2) map.set(String(reply[i]), reply[i + 1] ?? null);
  return map;
}

export const toList = (reply: ClusterReply | undefined): ClusterReply[] => (Array.isArray(reply) ? reply : []);

/** Parses the reply to CLUSTER SHARDS: shards with their slot ranges and nodes. */
export function readShards(reply: ClusterReply, where: ErrorContext): AnnouncedNode[] {
  const nodes: AnnouncedNode[] = [];
  for (const shard of toList(reply).map(toFieldMap)) {
    const bounds = toList(shard.get('slots'));
    const slots: [number, number][] = [];
    for (let i = 0; i + 1 < bounds.length; i += 2) {
      const range = parseSlotRange(bounds[i], bounds[i + 1]);
      if (range) slots.push(range);
    }
    const members = toList(shard.get('nodes')).flatMap((entry) => {
      const node = toFieldMap(entry);
      const port = Number((where.tls ? (node.get('tls-port') ?? node.get('port')) : node.get('port')) ?? 0);
      const host = chooseHost(node.get('endpoint'), node.get('ip'), where.host);
      const hostname = parseHostname(node.get('hostname'));
      const role = node.get('role') === 'master' ? ('master' as const) : ('replica' as const);
      const id = parseId(node.get('id'));
      return isPort(port) ? [{ host, port, role, hostname, id, healthy: node.get('health') === 'online' }] : [];
    });
    const master = findMaster(members);
    const masterAddress = master ? formatAddress(master.host, master.port) : null;
    for (const node of members) {
      // After a failover the old master stays in the shard as failed, and the slots belong to one master only.
      const owns = node === master;
      if (node.role === 'master' && !owns) continue;
      nodes.push({ ...node, masterAddress: owns ? null : masterAddress, slots: owns ? slots : [] });
    }
  }
  return nodes;
}

/** Parses the reply to CLUSTER SLOTS: ranges, each with its master first and then its replicas. */
export function readSlots(reply: ClusterReply, where: ErrorContext): AnnouncedNode[] {
  const nodes = new Map<string, AnnouncedNode>();
  for (const entry of toList(reply)) {
    const [from, to, ...members] = toList(entry);
    const range = parseSlotRange(from, to);
    let masterAddress: string | null = null;
    for (const member of members) {
      const [preferred, port, id, metadata = null] = toList(member);
      if (!isPort(Number(port))) continue;
      const more = toFieldMap(metadata);
      const host = chooseHost(preferred, more.get('ip'), where.host);
      const node = { host, port: Number(port), hostname: parseHostname(more.get('hostname')), id: parseId(id) };
      const address = formatAddress(node.host, node.port);
      const role = masterAddress === null ? ('master' as const) : ('replica' as const);
      const seen = nodes.get(address) ?? { ...node, role, masterAddress, slots: [], healthy: true };
      if (role === 'master') {
        if (range) seen.slots.push(range);
        masterAddress = address;
      }
      nodes.set(address, seen);
    }
  }
  return [...nodes.values()];
}

/** Parses the reply to CLUSTER NODES: one line of text per node. */
export function readNodes(text: string, where: ErrorContext): AnnouncedNode[] {
  const byId = new Map<string, AnnouncedNode & { masterId: string }>();
  for (const line of text.split('\n')) {
    const [id, endpoint = '', flags = '', masterId = '-', , , , link, ...ranges] = line.trim().split(' ');
    // The format is ip:port@busport[,hostname].
    const [matched, ip, port, hostname] = /^(.*):(\d+)(?:@\d+)?(?:,([^,]*))?/.exec(endpoint) ?? [];
    if (!id || matched === undefined || /noaddr|handshake/.test(flags) || !isPort(Number(port))) continue;
    byId.set(id, {
      id,
      host: chooseKnown(ip, chooseKnown(hostname, where.host)),
      port: Number(port),
      hostname: parseHostname(hostname),
      role: flags.split(',').includes('master') ? 'master' : 'replica',
      masterAddress: null,
      masterId,
      slots: ranges.flatMap((range) => {
        const bounds = /^(\d+)(?:-(\d+))?$/.exec(range);
        const slots = bounds ? parseSlotRange(bounds[1], bounds[2] ?? bounds[1]) : null;
        return slots ? [slots] : [];
      }),
      healthy: !/fail/.test(flags) && (link === 'connected' || flags.includes('myself')),
    });
  }
  return [...byId.values()].map(({ masterId, ...node }) => {
    const master = byId.get(masterId);
    return { ...node, masterAddress: master ? formatAddress(master.host, master.port) : null };
  });
}
