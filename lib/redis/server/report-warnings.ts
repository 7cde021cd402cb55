import { isIP } from 'node:net';
import type { Redis } from 'ioredis';
import type { ConnectionReport, NodeFacts, Warning } from '@/lib/model/servers/server-facts';
import { countSlots, joinSlotRanges } from '@/lib/model/servers/slot-ranges';
import type { RedisSession } from '@/lib/redis/connection/session';
import { describeClockSkew } from '@/lib/redis/info/clock-skew';
import { type Info, readInfoNumber } from '@/lib/redis/info/parse-info';

/** The report without what this file adds to it. */
type Draft = Omit<ConnectionReport, 'warnings'>;
type Infos = ReadonlyMap<string, Info | null>;

/** If there are more databases than this, the report says how many there are. */
const MANY_DATABASES = 8;
/** The share of maxmemory from which on it counts as nearly used up. */
const NEAR_MAXMEMORY = 0.9;
const REPLICA_BEHIND_BYTES = 8 * 1024 * 1024;
/** Resident memory below this share of the used memory means that the rest is swapped; small servers vary too much. */
const SWAP_BELOW_RATIO = 0.8;
const SWAP_FROM_BYTES = 100 * 1024 * 1024;
const SLOTS = 16_384;
/** The oldest versions, as [major, minor], that still get security fixes. */
const OLDEST_SUPPORTED: Partial<Record<ConnectionReport['flavor'], [number, number]>> = {
  redis: [6, 2],
  valkey: [7, 2],
};

/** Collects the warnings that a careful operator would give about a server; each is a rule of a few lines. */
export async function collectWarnings(
  session: RedisSession,
  report: Draft,
  { infos, denied }: { infos: Infos; denied: readonly number[] },
  client: Redis,
): Promise<Warning[]> {
  const found: Warning[] = [];
  const warn = (code: Warning['code'], severity: Warning['severity'], params: Warning['params'] = {}) => {
    found.push({ code, params, severity });
  };
  warnAboutAccess(session, report, warn);
  if (await hasFullAccess(client, report.username)) {
    warn('default_user_full_access', session.target.production ? 'warning' : 'info', {
      username: report.username ?? 'default',
    });
  }
  warnAboutNodes(session, report, warn);
  if (session.target.topology === 'cluster') await warnAboutCluster(report, client, warn);
  for (const node of report.nodes) warnAboutServer(node, infos.get(node.address) ?? null, warn);
  if (report.lazyfreeLazyExpire === false) warn('lazy_expire_off', 'warning');
  if ((report.databases?.length ?? 0) > MANY_DATABASES)
    warn('many_databases', 'info', { count: report.databases?.length ?? 0 });
  if (denied.length > 0) warn('databases_denied', 'warning', { databases: denied.join(', ') });
  const modules = (report.modules ?? []).filter((name) => !READ_MODULES.has(name.toLowerCase()));
  if (modules.length > 0) warn('modules', 'info', { modules: modules.join(', ') });
  const missing = report.capabilities.filter(
    (one) => one.status !== 'allowed' && one.lost !== 'none' && one.lost !== 'no_touch',
  );
  if (missing.length > 0) {
    const danger = missing.some((one) => one.required);
    warn('missing_commands', danger ? 'danger' : 'warning', { commands: missing.map((one) => one.command).join(', ') });
  }
  return found;
}

/** Modules that come with a server and have no type that Colonnade cannot read: vector sets are read, Lua has no keys. */
const READ_MODULES: ReadonlySet<string> = new Set(['vectorset', 'lua']);

type Warn = (code: Warning['code'], severity: Warning['severity'], params?: Warning['params']) => void;

const isLoopback = (host: string) =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

function warnAboutAccess({ target }: RedisSession, report: Draft, warn: Warn) {
  const isLocal = report.nodes.every((node) => isLoopback(node.host));
  // This session was answered without a password, so every client is.
  if (!target.password && !target.tls.cert) warn('no_password', isLocal ? 'warning' : 'danger');
  if (!target.tls.enabled && !isLocal) warn('no_tls', 'warning');
  if (target.tls.enabled && target.tls.skipVerify) warn('tls_unverified', 'danger');
  const oldest = OLDEST_SUPPORTED[report.flavor];
  const [major, minor] = (report.version ?? '').split('.').map(Number);
  if (!oldest || major === undefined || minor === undefined) return;
  const isOlder = major < oldest[0] || (major === oldest[0] && minor < oldest[1]);
  if (isOlder) warn('old_version', 'warning', { version: report.version ?? '' });
}

/** Returns true only if the server permits ACL GETUSER to this user, which already suggests wide permissions. */
async function hasFullAccess(client: Redis, username: string | null): Promise<boolean> {
  if (username === null) return false;
  try {
    const user = (await client.call('ACL', 'GETUSER', username)) as unknown[];
    return /^\+@all(?: |$)/.test(String(user[user.indexOf('commands') + 1]));
  } catch {
    return false;
  }
}

function warnAboutNodes(session: RedisSession, report: Draft, warn: Warn) {
  const [only] = report.nodes;
  // Without a known master, the registered address itself is a replica.
  if (only && session.target.topology === 'standalone' && only.role === 'replica')
    warn('is_replica', 'warning', { master: only.masterAddress ?? '' });
  for (const node of report.nodes) {
    const problem = session.problems.get(node.address);
    if (problem?.code === 'destination_refused') warn('destination_refused', 'danger', { address: node.address });
    else if (problem?.code === 'destination_unconfirmed')
      warn('destination_unconfirmed', node.role === 'replica' ? 'warning' : 'danger', { address: node.address });
    else if (problem?.code === 'node_not_used') warn('node_not_used', 'warning', { address: node.address });
    else if (problem || !node.healthy) {
      warn('node_unreachable', node.role === 'replica' ? 'warning' : 'danger', {
        address: node.address,
        reason: problem?.code ?? 'unhealthy',
      });
    }
  }
}

async function warnAboutCluster(report: Draft, client: Redis, warn: Warn) {
  const covered = countSlots(joinSlotRanges(report.nodes.flatMap(({ slots }) => slots)));
  if (covered < SLOTS) warn('uncovered_slots', 'danger', { count: SLOTS - covered });
  try {
    const state = /cluster_state:(\w+)/.exec(String(await client.call('CLUSTER', 'INFO')))?.[1];
    if (state && state !== 'ok') warn('cluster_not_ok', 'danger', { state });
  } catch {
    // CLUSTER INFO is denied: the slots already show the most important part.
  }
}

function warnAboutServer(node: NodeFacts, info: Info | null, warn: Warn) {
  if (!info) return;
  const { address } = node;
  const readNumber = (name: string) => readInfoNumber(info, name);
  const skew = describeClockSkew(node.clockSkewMs);
  if (skew) warn(skew.code, 'warning', { address, seconds: skew.seconds });
  const runId = info.get('run_id');
  // Two run ids on one address mean two servers, with a load balancer or proxy in between.
  if (!runId || (node.runId && runId !== node.runId)) warn('proxy_suspected', 'warning', { address });
  const used = readNumber('used_memory');
  const max = readNumber('maxmemory');
  if (max === 0 && node.role === 'master') warn('memory_unlimited', 'info', { address });
  if (max && used !== null && used / max > NEAR_MAXMEMORY) {
    warn('near_maxmemory', 'warning', { address, percent: Math.round((used / max) * 100) });
  }
  const policy = info.get('maxmemory_policy');
  if (max && policy && policy !== 'noeviction' && node.role === 'master')
    warn('evicting_policy', 'info', { address, policy });
  if (node.role === 'master' && readNumber('connected_slaves') === 0) warn('no_replica', 'info', { address });
  // The master knows how far each replica is; a replica knows only that it has lost its master.
  const sent = readNumber('master_repl_offset');
  for (const [name, value] of info) {
    const replica = /^slave\d+$/.test(name) && /ip=([^,]+),port=(\d+),.*offset=(\d+)/.exec(value);
    const behind = replica && sent !== null ? sent - Number(replica[3]) : 0;
    if (replica && behind > REPLICA_BEHIND_BYTES) {
      warn('replica_behind', 'warning', { address: `${replica[1]}:${replica[2]}`, bytes: behind });
    }
  }
  if (node.role === 'replica' && info.get('master_link_status') === 'down')
    warn('replica_behind', 'warning', { address });
  if (readNumber('rdb_bgsave_in_progress') || readNumber('aof_rewrite_in_progress'))
    warn('saving', 'info', { address });
  const rss = readNumber('used_memory_rss');
  if (used !== null && rss !== null && used > SWAP_FROM_BYTES && rss < used * SWAP_BELOW_RATIO) {
    warn('swapping', 'warning', { address });
  }
}
