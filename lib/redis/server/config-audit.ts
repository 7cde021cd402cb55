import type { Redis } from 'ioredis';
import { hasNoUsers, type NodeAudit, type ServerAudit } from '@/lib/model/servers/server-audit';
import type { NodeFacts } from '@/lib/model/servers/server-facts';
import type { RedisSession } from '@/lib/redis/connection/session';
import { parseInfo, parseKeyspace, readInfoNumber } from '@/lib/redis/info/parse-info';
import { type AuditAsk, readCommands, readMoreCommands } from './audit-commands';
import { readDefaultUser } from './audit-default-user';
import { readLatency, readSlowlog } from './slow-events';

const AUDITED_CONFIG = [
  'maxmemory',
  'maxmemory-policy',
  'lazyfree-lazy-expire',
  'lazyfree-lazy-eviction',
  'lazyfree-lazy-server-del',
  'lazyfree-lazy-user-del',
  'appendonly',
  'save',
  'protected-mode',
  'slowlog-log-slower-than',
  'slowlog-max-len',
  'latency-monitor-threshold',
  'hash-max-listpack-entries',
  'hash-max-listpack-value',
  'active-expire-effort',
  'databases',
];
/** CLIENT LIST grows with the clients; with more clients than this it is not sent. */
const MAX_CLIENTS = 1000;

/**
 * Reads what each node reports about itself, for the rules about servers: a dozen commands per node, none of which
 * touches a key. Every refused command is listed in `missing` instead of thrown. Passwords are never read, only whether
 * there is one.
 *
 * `commands` are those that the profile checks in addition to ALWAYS_ASKED, in lower case, a subcommand as
 * `config|set`.
 */
export async function readServerAudit(session: RedisSession, commands: readonly string[]): Promise<ServerAudit> {
  const nodes = await Promise.all(session.nodes.map((node) => readNodeAudit(session, node, commands)));
  return { checkedAt: Date.now(), clustered: session.target.topology === 'cluster', nodes };
}

type Missing = NodeAudit['missing'];

async function readNodeAudit(session: RedisSession, node: NodeFacts, commands: readonly string[]): Promise<NodeAudit> {
  const missing: Missing = [];
  let client: Redis;
  try {
    if (session.problems.has(node.address)) throw new Error('unreachable');
    client = await session.client(node.address);
  } catch {
    missing.push({ command: 'info', reason: 'unreachable' });
    return buildNodeAudit(session, node, missing, null);
  }
  const ask: AuditAsk = <T>(name: string, ...args: (string | number)[]) =>
    (client.call(...(name.split(' ') as [string]), ...args) as Promise<T>).catch(({ message }: Error) => {
      const isDenied = /NOPERM|no permissions/i.test(message);
      const isUnknown = /unknown (sub)?command/i.test(message);
      const reason = isDenied ? 'denied' : isUnknown ? 'unknown_command' : 'unreachable';
      missing.push({ command: name.toLowerCase(), reason });
      return null;
    });
  return buildNodeAudit(session, node, missing, { ask, commands });
}

/** Returns null (unknown) if a server answers with anything else than text. */
const toText = (answer: unknown): string | null => (typeof answer === 'string' ? answer : null);

/** `reached` is null for a node that cannot be reached; then everything but what the session knows is null. */
async function buildNodeAudit(
  session: RedisSession,
  node: NodeFacts,
  missing: Missing,
  reached: { ask: AuditAsk; commands: readonly string[] } | null,
): Promise<NodeAudit> {
  const ask: AuditAsk = reached?.ask ?? (async () => null);
  // Use `all`: the section `everything` does not exist before 6.0, and for an unknown section a server returns an empty
  // reply instead of an error.
  const text = toText(await ask('INFO', 'all'))?.trim() || null;
  const info = text === null ? null : parseInfo(text);
  const count = (name: string) => readInfoNumber(info, name);
  const connected = count('connected_clients');
  const config = await readConfig(ask);
  const slowlog = await readSlowlog(ask);
  const latency = await readLatency(ask);
  const commands = reached && (await readCommands(ask, reached.commands, node.version));
  const user = commands && (await readDefaultUser(ask, commands));
  const clients = connected !== null && connected <= MAX_CLIENTS ? toText(await ask('CLIENT LIST')) : null;
  return {
    address: node.address,
    role: node.role,
    version: node.version,
    uptimeSeconds: count('uptime_in_seconds'),
    commandStats: text === null ? null : parseCommandStats(text),
    config,
    slowlog,
    latency,
    keyspace: text === null ? null : parseKnownKeyspace(text),
    clients: {
      connected,
      monitors: clients === null ? null : clients.split('\n').filter((line) => / flags=[A-Za-z]*O/.test(line)).length,
      applications: clients === null ? null : countClientApplications(clients),
      receivedTotal: count('total_connections_received'),
      commandsTotal: count('total_commands_processed'),
      newest: findNewestClient(connected !== null && connected > MAX_CLIENTS ? await readOwnClient(ask) : clients),
    },
    traffic: {
      hits: count('keyspace_hits'),
      misses: count('keyspace_misses'),
      reads: count('total_reads_processed'),
      errors: text === null ? null : parseErrorStats(text),
    },
    memory: {
      usedBytes: count('used_memory'),
      maxBytes: count('maxmemory'),
      policy: info?.get('maxmemory_policy') ?? config?.['maxmemory-policy'] ?? null,
      evictedKeys: count('evicted_keys'),
      expiredKeys: count('expired_keys'),
      expiredStalePercent: count('expired_stale_perc'),
    },
    defaultUser: user,
    ...(commands && { askedCommands: commands.asked }),
    unknownCommands: commands?.unknown ?? null,
    moreCommands: await readMoreCommands(ask, node.version),
    passwordSet: user === null ? detectPassword(session, missing, node.version, info !== null) : !user.noPassword,
    tls: session.target.tls.enabled,
    protectedMode: config?.['protected-mode'] === undefined ? null : config['protected-mode'] === 'yes',
    missing,
  };
}

/**
 * Returns whether a password is set, if the ACL cannot be read. If this session was answered without a password, every
 * client is. With a password it is unknown whether one was needed (null). A client certificate may replace the
 * password, but not before there were ACL users (6.0).
 */
function detectPassword(
  { target }: RedisSession,
  missing: Missing,
  version: string | null,
  isAnswered: boolean,
): boolean | null {
  if (target.password) return null;
  return hasNoUsers({ missing, version }) || (isAnswered && !target.tls.cert) ? false : null;
}

async function readConfig(ask: AuditAsk): Promise<Record<string, string> | null> {
  // Before 7.0 only one name can be read at a time; if the first is refused, all are.
  const config: Record<string, string> = {};
  for (const name of AUDITED_CONFIG) {
    const answer = await ask<string[] | Record<string, string>>('CONFIG GET', name);
    if (answer === null) return null;
    const pairs = Array.isArray(answer) ? [[answer[0], answer[1]]] : Object.entries(answer);
    for (const [key, value] of pairs) if (key !== undefined) config[String(key)] = String(value);
  }
  return config;
}

/** Reads the entry of this connection, for when there are too many clients to list (6.2 and later can list one). */
async function readOwnClient(ask: AuditAsk): Promise<string | null> {
  const id = await ask<number>('CLIENT ID');
  return id === null ? null : toText(await ask('CLIENT LIST', 'ID', id));
}

/** Returns the client with the highest id, which connected last; null = the list is not known. */
function findNewestClient(list: string | null): NodeAudit['clients']['newest'] {
  let newest: { id: number; ageSeconds: number } | null = null;
  for (const [, id, age] of list?.matchAll(/^id=(\d+) .*? age=(\d+) /gm) ?? [])
    if (newest === null || Number(id) > newest.id) newest = { id: Number(id), ageSeconds: Number(age) };
  return newest;
}

/**
 * Reads the keys per database. null = there is no such section: a proxy that omits it does not mean that there are no
 * keys, and an empty server still sends the header.
 */
export function parseKnownKeyspace(info: string): NodeAudit['keyspace'] {
  const found = parseKeyspace(parseInfo(info)).map(({ db, keys, expires }) => ({ db, keys, expires }));
  return found.length > 0 || /^# Keyspace\b/m.test(info) ? found : null;
}

/** Reads `errorstat_OOM:count=3` lines; null = there is no such section (before 6.2). */
export function parseErrorStats(info: string): Record<string, number> | null {
  if (!/^# Errorstats\b/m.test(info)) return null;
  const found = info.matchAll(/^errorstat_([^:\r\n]+):count=(\d+)/gm);
  return Object.fromEntries([...found].map(([, name, calls]) => [name!, Number(calls)]));
}

/**
 * Counts connections per application; numbers at the end of a client name distinguish connections and processes of one
 * application.
 */
function countClientApplications(list: string): { name: string; connections: number }[] {
  const counts = new Map<string, number>();
  for (const [, given] of list.matchAll(/^id=.* name=([^ \r\n]+)/gm)) {
    const name = given!.replace(/[-_.:#@]?[0-9a-f]{8,}.*$|[-_.:#@]?\d+$/i, '');
    if (name !== '' && !name.startsWith(OWN_CLIENT) && !SENTINEL.test(given!))
      counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts]
    .map(([name, connections]) => ({ name, connections }))
    .sort((a, b) => b.connections - a.connections);
}

/**
 * Colonnade's own connections are not an application, nor are those of Sentinels, which are named after their run ids.
 */
const OWN_CLIENT = 'colonnade';
const SENTINEL = /^sentinel-[0-9a-f]{8}-(cmd|pubsub)$/;

/**
 * Reads `cmdstat_config|get:calls=2,usec=31,…` lines; null = there are none, not even for the commands that were sent
 * before, so the server does not report them.
 */
export function parseCommandStats(info: string): NodeAudit['commandStats'] {
  const stats: NonNullable<NodeAudit['commandStats']> = {};
  for (const [, name, calls, usec] of info.matchAll(/^cmdstat_([^:\r\n]+):calls=(\d+),usec=(\d+)/gm))
    stats[name!.toLowerCase()] = { calls: Number(calls), microseconds: Number(usec) };
  return Object.keys(stats).length === 0 ? null : stats;
}
