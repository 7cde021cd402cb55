import { buildWordsPattern } from '@/lib/model/text/build-words-pattern';
import { foldedPrefixesSql, toPathOrNull } from '@/lib/rules/groups/counts/folded-prefixes';
import {
  ALL_SQL,
  type AllRow,
  buildRuleWhere,
  type Found,
  type GroupQuestion,
  getAllTotals,
  MAX_GROUPS_READ,
} from '@/lib/rules/groups/counts/group-answer';
import { readServerFile } from '@/lib/snapshots/folder/server-file';
import { computeListTraffic } from './list-traffic';

const IN_USE_SECONDS = 3600;
/** LFU counters start at 5 and fall while the key is not accessed. */
const IN_USE_FREQUENCY = 6;
/**
 * Words in the names of queues; Celery creates a list with its own name. `list` is not among them: it names the type,
 * which a standard wants at the end of a name.
 */
const QUEUES = buildWordsPattern(
  'queue mq msg message task job event outbox inbox pending worker celery 队列 消息 任务 待处理'.split(' '),
);
/** Words in the names of sorted sets whose members are due later. */
const DELAYS = buildWordsPattern('delay delayed scheduled retry retries queue mq 延时 延迟 定时 队列'.split(' '));
/** Words in the names of lists that the standards recommend: lists of followers, and timelines. */
const TIMELINES = buildWordsPattern(
  (
    'follow follower following followee fans friend peers timeline feed moments history recent latest favorites ' +
    'favourites 关注 粉丝 好友 同行 动态'
  ).split(' '),
);

/**
 * C11: lists, streams and sorted sets that are used as queues, and messages that are published.
 *
 * A list counts if three things are true. The command statistics show blocking pops, or pops at a rate and pushes at
 * the other end. The list is in use: accessed within the hour or, if no idle time is reported, used often or without
 * any reported use. It is long or its name contains a word for a queue; a queue that is processed in time is short. If
 * one list has such a name, no list counts by its length: the statistics do not show which list is popped, and the
 * named one explains the pops. Lists of followers and timelines, for which the standards S2 and S3 of docs/RULES.md
 * recommend lists, do not count;
 * their names show them.
 *
 * A stream is a log of messages by its type, and S0 makes no exception for it, so any stream in use counts. A sorted
 * set counts if its name contains a word for delays and its members are taken by time. Published messages have no key;
 * Sentinels publish 30 a minute each, so messages are reported only from a set number on.
 */
export const findQueues: GroupQuestion = async (source, rule, context): Promise<Found> => {
  const traffic = computeListTraffic(await readServerFile(source));
  const where = buildRuleWhere(rule);
  const isNamedQueue = `regexp_matches(name, '${QUEUES}')`;
  const isUseUnknown = 'idle_seconds IS NULL AND freq IS NULL';
  const inUse = `(idle_seconds <= ${IN_USE_SECONDS} OR freq >= ${IN_USE_FREQUENCY} OR (${isUseUnknown}))`;
  const isLong = `length >= ${where.bind(Number(rule.params.elements))}::DOUBLE`;
  const isUsedList = `(type = 'list' AND ${inUse} AND NOT regexp_matches(name, '${TIMELINES}'))`;
  const namedWhere = buildRuleWhere(rule).and(`${isUsedList} AND ${isNamedQueue}`);
  const [named] = await source.query<{ n: number }>(
    `SELECT count(*) AS n FROM ${source.keys} ${namedWhere.sql}`,
    namedWhere.values,
  );
  // What a key must be like to be a queue, if the statistics show that queues of its type are used.
  const isQueueList = `(${isUsedList} AND (${(named?.n ?? 0) > 0 ? isNamedQueue : `${isLong} OR ${isNamedQueue}`}))`;
  const isUsedStream = `(type = 'stream' AND ${inUse})`;
  const isDelaySet = `(type = 'zset' AND ${inUse} AND regexp_matches(name, '${DELAYS}'))`;
  // A client that blocks until there is an element waits for work, at whichever end it is pushed. Other pops may be
  // those of a stack.
  const arePopped =
    traffic !== null &&
    (traffic.blockingPops > 0 || (traffic.bothEnds && traffic.popsPerMinute >= Number(rule.params.popsPerMinute)));
  // Without statistics it is unknown whether a list is a queue, but a stream that was accessed is one.
  const reportsList = arePopped ? isQueueList : 'false';
  const reportsStream =
    traffic === null ? `(${isUsedStream} AND NOT (${isUseUnknown}))` : traffic.streamCalls > 0 ? isUsedStream : 'false';
  const reportsSet = traffic?.takesByScore ? isDelaySet : 'false';
  const isUndecided =
    traffic === null ? `(${isQueueList} OR ${isDelaySet} OR (${isUsedStream} AND ${isUseUnknown}))` : 'false';
  const mayBePopped = (arePopped || traffic === null) && named?.n === 0;
  const lacksFacts = `(type IS NULL OR (${mayBePopped} AND ${isUsedList} AND length IS NULL AND NOT ${isNamedQueue}))`;
  // Names are only matched for keys of these types.
  const ofTheseTypes = where.copy().and(`(type IS NULL OR type IN ('list', 'stream', 'zset'))`);
  const [unknown] = await source.query<{ n: number }>(
    `SELECT count(*) FILTER (coalesce(${isUndecided}, false) OR coalesce(${lacksFacts}, false)) AS n, count(*) FILTER (${isLong}) AS long
     FROM ${source.keys} ${ofTheseTypes.sql}`,
    ofTheseTypes.values,
  );
  where.and(
    `type IN ('list', 'stream', 'zset') AND (type <> 'list' OR ${isLong} OR ${isNamedQueue}) AND coalesce(${reportsList} OR ${reportsStream} OR ${reportsSet}, false)`,
  );
  const sql = foldedPrefixesSql(source.keys, where, context.delimiter, {
    elements: ['sum(length)::DOUBLE', 'sum(elements)'],
    longest: ['max(length)', 'max(longest)'],
    measured: ['count(length)', 'sum(measured)::DOUBLE'],
    streams: [`count(*) FILTER (type = 'stream')`, 'sum(streams)::DOUBLE'],
    sorted: [`count(*) FILTER (type = 'zset')`, 'sum(sorted)::DOUBLE'],
    named: [`count(*) FILTER (${isNamedQueue})`, 'sum(named)::DOUBLE'],
  });
  const rows = await source.query<AllRow & Row>(
    `SELECT *, ${ALL_SQL} FROM (${sql}) ORDER BY elements DESC NULLS LAST, keys DESC, path LIMIT ${MAX_GROUPS_READ}`,
    where.values,
  );
  const published = Math.round((traffic?.publishesPerMinute ?? 0) * 10) / 10;
  // Published messages are about the servers, so they are reported once: with the ranges that include the first name.
  const isReportedHere = rule.ranges?.some(({ from }) => from === '') ?? true;
  const isMany = published > 0 && published >= Number(rule.params.publishesPerMinute);
  const publishes = isReportedHere && isMany ? [toPublishedGroup(published)] : [];
  const groups = rows.map((row) => ({
    subject: row.path === '' ? row.example : row.path,
    path: toPathOrNull(row.path),
    keys: row.keys,
    bytes: row.bytes,
    example: row.example,
    figures: {
      // If some lengths are unknown, the sum would be too small.
      ...(row.measured === row.keys && { elements: row.elements }),
      ...(row.measured > 0 && { longest: row.longest }),
      lists: row.keys - row.streams - row.sorted,
      streams: row.streams,
      ...(row.sorted > 0 && { sortedSets: row.sorted }),
      named: row.named,
      ...(traffic !== null &&
        row.keys > row.streams + row.sorted && {
          popsPerMinute: Math.round(traffic.popsPerMinute * 10) / 10,
          blockingPops: traffic.blockingPops,
        }),
    },
  }));
  const all = getAllTotals(rows);
  return {
    groups: [...publishes, ...groups],
    all: { ...all, groups: all.groups + publishes.length },
    unknownKeys: unknown?.n ?? 0,
    ...(traffic === null && { missing: ['info'] }),
  };
};

const toPublishedGroup = (publishesPerMinute: number): Found['groups'][number] => ({
  subject: 'PUBLISH',
  path: null,
  keys: 0,
  bytes: 0,
  example: null,
  figures: { publishesPerMinute },
});

interface Row {
  path: string;
  keys: number;
  bytes: number;
  example: string;
  elements: number;
  longest: number;
  measured: number;
  streams: number;
  sorted: number;
  named: number;
}
