import type { Redis } from 'ioredis';
import type { ConnectionReport, NodeFacts } from '@/lib/model/servers/server-facts';
import {
  createFailure,
  createTimeoutError,
  isReplyError,
  toConnectionError,
} from '@/lib/redis/connection/connection-errors';
import { buildErrorContext } from '@/lib/redis/connection/node-client';
import type { RedisSession } from '@/lib/redis/connection/session';
import { readInfo } from '@/lib/redis/connection/topology/node-facts';
import { readHello } from '@/lib/redis/connection/topology/topology';
import { withTimeout } from '@/lib/redis/connection/with-timeout';
import { detectFlavor, type Info, type Keyspace, parseKeyspace } from '@/lib/redis/info/parse-info';
import { probeCapabilities, readEvictionPolicy } from './capabilities';
import { findDeniedDatabases } from './probe-databases';
import { readLazyExpire } from './read-lazy-expire';
import { collectWarnings } from './report-warnings';

/** Limit for the whole report. Each request has its own; a server that stays just below it must not delay a page. */
const REPORT_TIMEOUT_MS = 15_000;

/**
 * Collects everything a person should know before saving an instance or starting a scan. null = the server does not
 * report it.
 */
export function readConnectionReport(session: RedisSession): Promise<ConnectionReport> {
  const { target, nodes } = session;
  const { host, port } = nodes[0] ?? { host: target.name, port: 0 };
  return withTimeout(readReport(session), REPORT_TIMEOUT_MS, () =>
    createTimeoutError(buildErrorContext(target, host, port)),
  );
}

async function readReport(session: RedisSession): Promise<ConnectionReport> {
  const { target, nodes } = session;
  const usable = nodes.filter((node) => !session.problems.has(node.address));
  const first = usable[0] ?? (nodes[0] as NodeFacts);
  await requireDatabases(session, first, target.databases);
  const client = await session.client(first.address);
  const latencyMs = await measureMedianPing(client, () =>
    createTimeoutError(buildErrorContext(target, first.host, first.port)),
  );
  const infos = await readInfos(session, usable);
  const info = infos.get(first.address) ?? null;
  const databases = sumDatabases(usable, infos);
  const databasesToScan = target.databases ?? databases?.map(({ db }) => db) ?? [];
  const denied = await findDeniedDatabases(session, first.address, databasesToScan);
  // Permissions are probed in a database that may be read.
  const { list } = await probeCapabilities(
    session,
    first.address,
    databasesToScan.find((db) => !denied.includes(db)) ?? 0,
  );
  const { flavor, version } = info ? detectFlavor(info) : await readFlavorByHello(client);
  const report = {
    topology: target.topology,
    flavor,
    version,
    nodes,
    unconfirmed: listUnconfirmed(session),
    addressMap: [],
    databases,
    maxmemoryPolicy: info?.get('maxmemory_policy') ?? (await readEvictionPolicy(client)),
    lazyfreeLazyExpire: await checkLazyExpire(session, usable),
    modules: await readModules(client, info),
    capabilities: list,
    latencyMs,
    username: await readOwnUser(client, target.username ?? null),
    checkedAt: Date.now(),
  };
  return { ...report, warnings: await collectWarnings(session, report, { infos, denied }, client) };
}

const listUnconfirmed = ({ problems }: RedisSession): string[] =>
  [...problems].flatMap(([address, { code }]) => (code === 'destination_unconfirmed' ? [address] : []));

const PINGS = 5;

/** Returns the median of a few round trips in ms, to three decimals. */
async function measureMedianPing(client: Redis, createError: () => Error): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < PINGS; i++) {
    const start = performance.now();
    await client.ping().catch((error) => {
      // An error reply is an answer too. Whatever else the client reports, the person learns that the server did not
      // answer.
      if (!isReplyError(error)) throw createError();
    });
    times.push(performance.now() - start);
  }
  return Math.round((times.sort((a, b) => a - b)[Math.floor(PINGS / 2)] as number) * 1000) / 1000;
}

async function readInfos(session: RedisSession, nodes: NodeFacts[]): Promise<Map<string, Info | null>> {
  const read = async (node: NodeFacts) => {
    const info = await session
      .client(node.address)
      .then(readInfo)
      .catch(() => null);
    return [node.address, info] as const;
  };
  return new Map(await Promise.all(nodes.map(read)));
}

/**
 * Returns whether expired keys are freed in the background on every master: on a master that frees them at once,
 * expiring bigkeys block the server. null = no master says no, and not all have answered.
 */
async function checkLazyExpire(session: RedisSession, nodes: NodeFacts[]): Promise<boolean | null> {
  const reported = await Promise.all(
    listMastersOrFirst(nodes).map(async ({ address, version }) => {
      const client = await session.client(address).catch(() => null);
      return client === null ? null : readLazyExpire(client, version);
    }),
  );
  if (reported.includes(false)) return false;
  return reported.length === 0 || reported.includes(null) ? null : true;
}

function listMastersOrFirst(nodes: NodeFacts[]): NodeFacts[] {
  const masters = nodes.filter((node) => node.role === 'master');
  return masters.length > 0 ? masters : nodes.slice(0, 1);
}

/** Sums the keys per database over the masters (or over the first node, if no master is known). */
function sumDatabases(nodes: NodeFacts[], infos: Map<string, Info | null>): Keyspace[] | null {
  const sums = new Map<number, Keyspace>();
  for (const node of listMastersOrFirst(nodes)) {
    const info = infos.get(node.address);
    if (!info) return null;
    for (const part of parseKeyspace(info)) {
      const sum = sums.get(part.db);
      sums.set(part.db, sum ? addKeyspace(sum, part) : part);
    }
  }
  return [...sums.values()].sort((a, b) => a.db - b.db);
}

const addKeyspace = (a: Keyspace, b: Keyspace): Keyspace => ({
  db: a.db,
  keys: a.keys + b.keys,
  expires: a.expires === null || b.expires === null ? null : a.expires + b.expires,
  avgTtlMs: averageTtl(a, b),
});

/** The average must be weighted by the number of keys with an expiry. */
function averageTtl(a: Keyspace, b: Keyspace): number | null {
  if (a.avgTtlMs === null || b.avgTtlMs === null || a.expires === null || b.expires === null) return null;
  const all = a.expires + b.expires;
  return all === 0 ? 0 : Math.round((a.avgTtlMs * a.expires + b.avgTtlMs * b.expires) / all);
}

async function readModules(client: Redis, info: Info | null): Promise<string[] | null> {
  const parseNames = (reply: unknown): string[] =>
    (reply as string[][]).map((entry) => String(entry[entry.indexOf('name') + 1])).sort();
  try {
    return parseNames(await client.call('MODULE', 'LIST'));
  } catch {
    // MODULE LIST is denied; INFO modules and HELLO report the same to every user.
  }
  try {
    const text = info ? await client.info('modules') : '';
    // Without its header the section was not sent, which is not the same as empty.
    if (/^# Modules/m.test(text)) {
      return [...text.matchAll(/^module:name=([^,\r]+)/gm)].map((found) => String(found[1])).sort();
    }
  } catch {
    // The section is unknown.
  }
  try {
    return parseNames((await readHello(client))?.get('modules'));
  } catch {
    return null;
  }
}

/** HELLO cannot be denied by ACL, so the version is usually known even if INFO is denied. */
async function readFlavorByHello(
  client: Redis,
): Promise<{ flavor: ConnectionReport['flavor']; version: string | null }> {
  const hello = await readHello(client);
  const [server, version] = [hello?.get('server'), hello?.get('version')];
  return {
    flavor: server === 'redis' || server === 'valkey' ? server : 'unknown',
    version: version === undefined ? null : String(version),
  };
}

async function readOwnUser(client: Redis, configured: string | null): Promise<string | null> {
  try {
    return String(await client.call('ACL', 'WHOAMI'));
  } catch {
    return configured;
  }
}

/** Throws `redis_no_database` for the first of `databases` that the node does not have; null and [] pass. */
async function requireDatabases(session: RedisSession, node: NodeFacts, databases: number[] | null): Promise<void> {
  for (const db of databases ?? []) {
    const where = buildErrorContext(session.target, node.host, node.port);
    try {
      // SELECT is the only check that every server answers.
      await session.client(node.address, db);
    } catch (error) {
      const reported = toConnectionError(error, where);
      if (reported.code !== 'redis_no_database') throw reported;
      throw createFailure(
        'redis_no_database',
        where,
        (at) =>
          session.target.topology === 'cluster'
            ? `${at} has no database ${db}. A Redis Cluster has database 0 only, one of Valkey 9 those below its "cluster-databases" setting.`
            : `${at} has no database ${db}. Choose one below its "databases" setting (usually 16: 0 to 15).`,
        { db },
      );
    }
  }
}
