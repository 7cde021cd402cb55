import type { NodeAudit, ServerAudit, ServerFinding } from '@/lib/model/server-audit';
import type { Params } from '../types';
import { callsOf, perNode } from './per-node';

const STATS = ['info commandstats'];
const number = (params: Params, name: string) => Number(params[name]);
const list = (params: Params, name: string) => (params[name] as readonly string[]).map((word) => word.toLowerCase());

/** C1: a forbidden command was called, or the default user may call it and it is not renamed. */
export function judgeForbidden(audit: ServerAudit, params: Params): ServerFinding {
  return perNode(audit, [...STATS, 'acl getuser'], (node) => {
    const called: string[] = [];
    const callable: string[] = [];
    for (const command of list(params, 'commands')) {
      const stat = callsOf(node, command);
      if (stat && stat.calls > 0) called.push(`${command.toUpperCase()} × ${stat.calls}`);
      const renamed = node.unknownCommands?.includes(command) ?? false;
      if (!renamed && node.defaultUser?.enabled && node.defaultUser.may[command]) callable.push(command.toUpperCase());
    }
    if (called.length > 0 || callable.length > 0)
      return {
        ...(called.length > 0 && { called: called.join(', ') }),
        ...(callable.length > 0 && { callable: callable.join(', ') }),
      };
    return node.commandStats === null || node.defaultUser === null ? 'unknown' : null;
  });
}

/** C2: KEYS was called. */
export function judgeKeys(audit: ServerAudit): ServerFinding {
  return perNode(audit, STATS, (node) => {
    const stat = callsOf(node, 'keys');
    if (stat === null) return 'unknown';
    return stat.calls === 0
      ? null
      : { calls: stat.calls, microsecondsPerCall: Math.round(stat.microseconds / stat.calls) };
  });
}

/** C3: commands whose time grows with the collection take long on average. */
export function judgeLinear(audit: ServerAudit, params: Params): ServerFinding {
  return perNode(audit, STATS, (node) => {
    if (node.commandStats === null) return 'unknown';
    const slow = list(params, 'commands').flatMap((command) => {
      const stat = callsOf(node, command);
      if (stat === null || stat.calls === 0) return [];
      const each = stat.microseconds / stat.calls;
      return each > number(params, 'microseconds')
        ? [`${command.toUpperCase()} × ${stat.calls}: ${Math.round(each)} µs`]
        : [];
    });
    return slow.length === 0 ? null : { slow: slow.join(', ') };
  });
}

/** V9: DEL took long, on average or in the slow log. */
export function judgeDel(audit: ServerAudit, params: Params): ServerFinding {
  return perNode(audit, [...STATS, 'slowlog get'], (node) => {
    const stat = callsOf(node, 'del');
    const slow = node.slowlog?.filter((entry) => entry.command === 'DEL') ?? [];
    const each = stat && stat.calls > 0 ? Math.round(stat.microseconds / stat.calls) : 0;
    if (each > number(params, 'microseconds') || slow.length > 0)
      return {
        ...(stat && { calls: stat.calls, microsecondsPerCall: each }),
        ...(slow.length > 0 && {
          slowCalls: slow.length,
          slowestMicroseconds: Math.max(...slow.map((s) => s.microseconds)),
        }),
      };
    return stat === null || node.slowlog === null ? 'unknown' : null;
  });
}

/** Slow commands that `fits`; the slow log holds only what was slow, so finding none proves nothing more than that. */
function inSlowlog(audit: ServerAudit, fits: (command: string, args: string[]) => boolean): ServerFinding {
  return perNode(audit, ['slowlog get'], (node) => {
    if (node.slowlog === null) return 'unknown';
    const found = node.slowlog.filter((entry) => fits(entry.command, entry.args));
    if (found.length === 0) return null;
    const worst = found.reduce((a, b) => (b.microseconds > a.microseconds ? b : a));
    return {
      slowCalls: found.length,
      slowestMicroseconds: worst.microseconds,
      slowest: [worst.command, ...worst.args].join(' ').slice(0, 200),
    };
  });
}

const UNBOUNDED = new Set(['-inf', '+inf', '-', '+', '(-inf', '(+inf', 'inf']);

/** C4: a range over a whole sorted set. */
export function judgeUnboundedRanges(audit: ServerAudit): ServerFinding {
  return inSlowlog(audit, (command, [, from, to, ...more]) => {
    if (!/^Z(REV)?RANGE(BYSCORE|BYLEX)?$/.test(command) || from === undefined || to === undefined) return false;
    if (more.some((word) => word.toUpperCase() === 'LIMIT')) return false;
    return (from === '0' && to === '-1') || (UNBOUNDED.has(from.toLowerCase()) && UNBOUNDED.has(to.toLowerCase()));
  });
}

/** C5: HGETALL was slow: its hash is large. */
export function judgeHgetall(audit: ServerAudit): ServerFinding {
  return inSlowlog(audit, (command) => command === 'HGETALL');
}

const BATCH = new Set([
  'MGET',
  'MSET',
  'DEL',
  'UNLINK',
  'HMGET',
  'HMSET',
  'HSET',
  'HDEL',
  'SADD',
  'SREM',
  'ZADD',
  'ZREM',
  'LPUSH',
  'RPUSH',
  'EXISTS',
]);

/** C6: a slow command with more arguments than a batch should have. The slow log itself tells how many it left out. */
export function judgeBatches(audit: ServerAudit, params: Params): ServerFinding {
  return inSlowlog(audit, (command, args) => {
    const left = /\((\d+) more arguments?\)/.exec(args.at(-1) ?? '');
    return BATCH.has(command) && args.length - (left ? 1 : 0) + Number(left?.[1] ?? 0) > number(params, 'arguments');
  });
}

/** C8: a large share of commands are transactions. */
export function judgeTransactions(audit: ServerAudit, params: Params): ServerFinding {
  return perNode(audit, STATS, (node) => {
    const stat = callsOf(node, 'multi');
    const all = totalCalls(node);
    if (stat === null || all === null) return 'unknown';
    return all > 0 && stat.calls / all > number(params, 'share')
      ? { calls: stat.calls, share: stat.calls / all }
      : null;
  });
}

/** C10: somebody watches every command. */
export function judgeMonitor(audit: ServerAudit): ServerFinding {
  return perNode(audit, [...STATS, 'client list'], (node) => {
    const stat = callsOf(node, 'monitor');
    const now = node.clients.monitors;
    if ((now ?? 0) > 0) return { monitors: now!, ...(stat && { calls: stat.calls }) };
    // Past calls were short or long, nobody knows; only one that runs now is accused.
    return now === null ? 'unknown' : null;
  });
}

function totalCalls(node: NodeAudit): number | null {
  return node.commandStats === null
    ? null
    : Object.values(node.commandStats).reduce((sum, stat) => sum + stat.calls, 0);
}
