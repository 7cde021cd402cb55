import type { ServerAudit } from '@/lib/model/servers/server-audit';

/**
 * How lists, streams and sorted sets are used as queues, by the command statistics of all nodes. These count calls
 * since the server started or since CONFIG RESETSTAT; the latter does not reset the uptime, so a rate is never too
 * high. They name no key, so it is unknown which list was popped.
 */
interface ListTraffic {
  /** Calls of pops and moves per minute, on all nodes together. */
  popsPerMinute: number;
  blockingPops: number;
  /** True if elements are pushed at one end and popped at the other, or moved: first in, first out. */
  bothEnds: boolean;
  /** Calls that write to a stream, or read it like a log (XADD, XREAD, XREADGROUP). */
  streamCalls: number;
  /** True if members of sorted sets are taken by time: popped, or searched by score and removed. */
  takesByScore: boolean;
  /**
   * Messages per minute on the node with most. Nodes are not added up: a master passes messages on, and its replicas
   * count them too.
   */
  publishesPerMinute: number;
}

const BLOCKING = ['blpop', 'brpop', 'brpoplpush', 'blmove', 'blmpop'];
const MOVES = ['rpoplpush', 'brpoplpush', 'lmove', 'blmove', 'lmpop', 'blmpop'];
const STREAM = ['xadd', 'xread', 'xreadgroup'];
const SORTED_POPS = ['zpopmin', 'zpopmax', 'bzpopmin', 'bzpopmax', 'zmpop', 'bzmpop'];

/** null: there are no statistics, or not of every node. */
export function computeListTraffic(audit: ServerAudit | null): ListTraffic | null {
  const nodes = audit?.nodes ?? [];
  if (nodes.length === 0 || nodes.some(({ commandStats }) => commandStats === null)) return null;
  const found: ListTraffic = {
    popsPerMinute: 0,
    blockingPops: 0,
    bothEnds: false,
    streamCalls: 0,
    takesByScore: false,
    publishesPerMinute: 0,
  };
  for (const { commandStats, uptimeSeconds } of nodes) {
    const countCalls = (...names: string[]) => names.reduce((sum, name) => sum + (commandStats![name]?.calls ?? 0), 0);
    const left = countCalls('lpop', 'blpop');
    const right = countCalls('rpop', 'brpop');
    const moves = countCalls(...MOVES);
    const toPerMinute = (count: number) => (count * 60) / Math.max(60, uptimeSeconds ?? 60);
    found.popsPerMinute += toPerMinute(left + right + moves);
    found.blockingPops += countCalls(...BLOCKING);
    found.bothEnds ||=
      moves > 0 || (left > 0 && countCalls('rpush', 'rpushx') > 0) || (right > 0 && countCalls('lpush', 'lpushx') > 0);
    found.streamCalls += countCalls(...STREAM);
    const isSearched = countCalls('zrangebyscore', 'zrange') > 0;
    found.takesByScore ||=
      countCalls(...SORTED_POPS) > 0 || (isSearched && countCalls('zrem', 'zremrangebyscore', 'zremrangebyrank') > 0);
    found.publishesPerMinute = Math.max(found.publishesPerMinute, toPerMinute(countCalls('publish', 'spublish')));
  }
  return found;
}
