/**
 * Judges servers by the slow log. It holds only slow commands, and not for long: an empty result means that none was
 * seen. A log that is switched off cannot show any, so the rule is then unknown. An empty log may be switched off
 * without Colonnade knowing it, if its settings may not be read, as on many hosted servers.
 */

import type { NodeAudit, ServerAudit, ServerFinding, SlowCommand } from '@/lib/model/servers/server-audit';
import type { Params } from '../types';
import {
  type Figures,
  judgeNodes,
  sumCommandStats,
  type Unknown,
  unknownBecause,
  unknownWithoutCommands,
} from './judge-nodes';

/** Characters of the slowest command that are shown. */
const MAX_SHOWN = 200;

/** null = this log proves the absence of slow commands; else the reason why it does not. */
function explainBlindSlowlog(node: NodeAudit): Unknown | null {
  if (node.slowlog === null) return unknownWithoutCommands('slowlog get');
  const slowerThan = node.config?.['slowlog-log-slower-than'];
  const isOff = (slowerThan !== undefined && Number(slowerThan) < 0) || node.config?.['slowlog-max-len'] === '0';
  if (isOff) return unknownBecause('slowlog');
  if (slowerThan !== undefined || node.slowlog.length > 0) return null;
  return node.config === null ? unknownWithoutCommands('config get') : unknownBecause('slowlog');
}

export function toSlowFigures(entries: readonly SlowCommand[]): Figures {
  const worst = entries.reduce((a, b) => (b.microseconds > a.microseconds ? b : a));
  return {
    slowCalls: entries.length,
    slowestMicroseconds: worst.microseconds,
    slowest: [worst.command, ...worst.args].join(' ').slice(0, MAX_SHOWN),
  };
}

function judgeSlowlog(audit: ServerAudit, fits: (entry: SlowCommand) => boolean): ServerFinding {
  return judgeNodes(audit, (node) => {
    const found = node.slowlog?.filter(fits) ?? [];
    return found.length > 0 ? toSlowFigures(found) : explainBlindSlowlog(node);
  });
}

const LOWEST = new Set(['-inf', '(-inf', '-']);
const HIGHEST = new Set(['+inf', 'inf', '(+inf', '(inf', '+']);

/** Whether a command reads a whole sorted set, however large. */
function isUnboundedRange({ command, args }: SlowCommand): boolean {
  const store = command === 'ZRANGESTORE' ? 1 : 0;
  if (!/^Z(REV)?RANGE(BYSCORE|BYLEX|STORE)?$/.test(command)) return false;
  const [from, to, ...more] = args.slice(1 + store).map((word) => word.toLowerCase());
  if (from === undefined || to === undefined) return false;
  const limit = more.indexOf('limit');
  // LIMIT 0 -1 is no limit.
  if (limit >= 0 && !(Number(more[limit + 2]) < 0)) return false;
  if (from === '0' && to === '-1') return !/BY(SCORE|LEX)$/.test(command) && !more.some((word) => /^by/.test(word));
  return (LOWEST.has(from) && HIGHEST.has(to)) || (HIGHEST.has(from) && LOWEST.has(to));
}

/** C4: a range over a whole sorted set. */
export const judgeUnboundedRanges = (audit: ServerAudit): ServerFinding => judgeSlowlog(audit, isUnboundedRange);

/**
 * A slow log may be set to hold every command. A command that took less than this many microseconds (a number of
 * Colonnade) read no large hash.
 */
const SLOW_MICROSECONDS = 1000;

/** C5: an HGETALL was slow, so its hash is large. */
export const judgeHgetall = (audit: ServerAudit): ServerFinding =>
  judgeSlowlog(audit, ({ command, microseconds }) => command === 'HGETALL' && microseconds >= SLOW_MICROSECONDS);

/** Number of arguments before the elements, and number of arguments per element. */
const BATCHES: Readonly<Record<string, readonly [before: number, each: number]>> = {
  MGET: [0, 1],
  DEL: [0, 1],
  UNLINK: [0, 1],
  EXISTS: [0, 1],
  TOUCH: [0, 1],
  MSET: [0, 2],
  MSETNX: [0, 2],
  HMGET: [1, 1],
  HDEL: [1, 1],
  HSET: [1, 2],
  HMSET: [1, 2],
  SADD: [1, 1],
  SREM: [1, 1],
  SMISMEMBER: [1, 1],
  ZADD: [1, 2],
  ZREM: [1, 1],
  ZMSCORE: [1, 1],
  LPUSH: [1, 1],
  RPUSH: [1, 1],
  PFADD: [1, 1],
};

/** Number of arguments. The slow log shortens long commands and says in the last argument how many it dropped. */
function countArguments({ args }: SlowCommand): number {
  const left = /^\.\.\. \((\d+) more arguments?\)$/.exec(args.at(-1) ?? '');
  return left ? args.length - 1 + Number(left[1]) : args.length;
}

/** Elements of one batch (a field with its value is one); null = not a batch command. */
function computeBatchSize(entry: SlowCommand): number | null {
  const batch = Object.hasOwn(BATCHES, entry.command) ? BATCHES[entry.command]! : null;
  return batch === null ? null : Math.max(0, Math.floor((countArguments(entry) - batch[0]) / batch[1]));
}

/** C6: a slow command had more elements than a batch should have. */
export function judgeBatches(audit: ServerAudit, params: Params): ServerFinding {
  return judgeNodes(audit, (node) => {
    const sizes = (node.slowlog ?? []).map((entry) => ({ entry, elements: computeBatchSize(entry) ?? 0 }));
    const found = sizes.filter(({ elements }) => elements > Number(params.arguments));
    if (found.length === 0) return explainBlindSlowlog(node);
    return {
      maxElements: Math.max(...found.map(({ elements }) => elements)),
      ...toSlowFigures(found.map(({ entry }) => entry)),
    };
  });
}

/** V9: DEL took long, on average or per key in the slow log, so what it deleted was large. */
export function judgeDel(audit: ServerAudit, params: Params): ServerFinding {
  const max = Number(params.microseconds);
  return judgeNodes(audit, (node) => {
    const stat = sumCommandStats(node, 'del');
    const perCall = stat && stat.calls > 0 ? Math.round(stat.microseconds / stat.calls) : 0;
    const slow = (node.slowlog ?? []).filter(
      (entry) => entry.command === 'DEL' && entry.microseconds / Math.max(1, countArguments(entry)) > max,
    );
    if (perCall > max || slow.length > 0)
      return {
        ...(perCall > max && { calls: stat!.calls, microsecondsPerCall: perCall }),
        ...(slow.length > 0 && toSlowFigures(slow)),
        ...readConfigFigure(node, 'lazyfree-lazy-user-del', 'lazyfreeLazyUserDel'),
      };
    if (stat === null) return unknownWithoutCommands('info', ...(node.slowlog === null ? ['slowlog get'] : []));
    return stat.calls === 0 ? null : explainBlindSlowlog(node);
  });
}

/** A setting of the server as evidence, if it is known. How a server frees memory decides how serious a finding is. */
export function readConfigFigure(node: NodeAudit, name: string, figure: string): Figures {
  const value = node.config?.[name];
  return value === undefined ? {} : { [figure]: value };
}
