import { toPathOrNull, withFoldedPrefixes } from '@/lib/rules/groups/counts/folded-prefixes';
import {
  ALL_SQL,
  type AllRow,
  buildRuleWhere,
  type Found,
  type GroupContext,
  type GroupQuestion,
  type GroupRule,
  getAllTotals,
  MAX_GROUPS_READ,
} from '@/lib/rules/groups/counts/group-answer';
import { countKnownFacts, idleKnownSql } from '@/lib/rules/groups/counts/known-facts';
import type { Where } from '@/lib/snapshots/key-query/where-clause';
import type { Source } from '@/lib/snapshots/query/with-source';

const SECONDS_OF_DAY = 86_400;

/** T2: prefixes with many keys that do not expire and were not accessed for days. */
export const findForgottenKeys: GroupQuestion = async (source, rule, context): Promise<Found> => {
  const seconds = Math.round(Number(rule.params.days) * SECONDS_OF_DAY);
  const isKnown = idleKnownSql(source, seconds);
  const known = await countKnownFacts(source, rule, isKnown);
  const unknownKeys = known.idleOrExpiryUnknown;
  if (known.keys > 0 && (known.idle === 0 || known.expiry === 0)) return { groups: [], blind: true, unknownKeys };
  const idle = `${isKnown} AND idle_seconds >= ${BigInt(seconds)}`;
  return findLargestIdlePrefixes(source, rule, context, {
    bound: { of: 'keys', min: Number(rule.params.keys) },
    idle: `expire_at IS NULL AND expiry_known AND ${idle}`,
    possible: `(expire_at IS NULL OR NOT expiry_known) AND (NOT (${isKnown}) OR (${idle}))`,
    unknownKeys,
    idleSeconds: (row) => row.shortest,
  });
};

/**
 * V17: memory of keys that were not accessed for days, by prefix. Under an LFU policy the server does not report idle
 * times, and the idle times of a replica do not include the reads on its master.
 */
export const findIdleBytes: GroupQuestion = async (source, rule, context): Promise<Found> => {
  const seconds = Math.round(Number(rule.params.days) * SECONDS_OF_DAY);
  const isKnown = idleKnownSql(source, seconds);
  const known = await countKnownFacts(source, rule, isKnown);
  if (known.keys > 0 && known.idle === 0) return { groups: [], blind: true, unknownKeys: known.keys };
  const idle = `${isKnown} AND idle_seconds >= ${BigInt(seconds)}`;
  const where = buildRuleWhere(rule).and(idle);
  // Count idle keys whose memory is unknown, because the memory reported for the others may be too little.
  const unknownKeys = known.keys - known.idle + (await countUnmeasured(source, where));
  return findLargestIdlePrefixes(source, rule, context, {
    bound: { of: 'bytes', min: Number(rule.params.bytes) },
    idle,
    possible: `(NOT (${isKnown}) OR (${idle}))`,
    unknownKeys,
    idleSeconds: (row) => row.sum / row.keys,
  });
};

/** Aggregates of the idle time of a prefix: SQL over its keys, and SQL over the prefixes of a path. */
const idleAggregates = {
  shortest: ['min(idle_seconds)', 'min(shortest)'],
  oldest: ['max(idle_seconds)', 'max(oldest)'],
  sum: ['sum(idle_seconds)::DOUBLE', 'sum(sum)'],
} as const;

interface IdlePrefix {
  path: string;
  keys: number;
  bytes: number;
  example: string;
  /**
   * Idle times in seconds: `shortest` of the key accessed last, `oldest` of the key accessed first, `sum` of all
   * together.
   */
  shortest: number;
  oldest: number;
  sum: number;
}

interface IdleQuestion {
  bound: { of: 'keys' | 'bytes'; min: number };
  /**
   * `idle` is SQL that is true for idle keys. `possible` is also true for keys that may be idle, because a fact is
   * unknown.
   */
  idle: string;
  possible: string;
  unknownKeys: number;
  /** Returns the idle time in seconds that is reported for a prefix. */
  idleSeconds(row: IdlePrefix): number;
}

/**
 * Returns the prefixes of idle keys that reach the bound, largest first, with the idle time of each. If none reaches
 * it, keys with unknown facts are reported only if they could make one reach it: integers that the server shares have
 * no idle time of their own, and a few of them among a million keys never could.
 */
async function findLargestIdlePrefixes(
  source: Source,
  rule: GroupRule,
  context: GroupContext,
  { bound, idle, possible, unknownKeys, idleSeconds }: IdleQuestion,
): Promise<Found> {
  const findReaching = async (which: string) =>
    toPrefixesFound(await readIdlePrefixes(source, buildRuleWhere(rule).and(which), context, bound), idleSeconds);
  const found = await findReaching(idle);
  if (unknownKeys === 0 || hasOpenPrefix(found, rule, context)) return { ...found, unknownKeys };
  const matters =
    (bound.of === 'bytes' && (await countUnmeasured(source, buildRuleWhere(rule).and(possible))) > 0) ||
    hasOpenPrefix(await findReaching(possible), rule, context);
  return { ...found, unknownKeys: matters ? unknownKeys : 0 };
}

/** Whether a prefix that is not exempted was found. Prefixes that were found but not read count as not exempted. */
const hasOpenPrefix = ({ groups, all }: PrefixesFound, rule: GroupRule, context: GroupContext) =>
  all.groups > groups.length || groups.some(({ path, subject }) => !context.exempt(rule.id, path ?? subject));

/** Counts the keys whose memory is unknown. */
async function countUnmeasured(source: Source, where: Where): Promise<number> {
  const [row] = await source.query<{ n: number }>(
    `SELECT count(*) - count(bytes) AS n FROM ${source.keys} ${where.sql}`,
    where.values,
  );
  return row!.n;
}

/** Returns the prefixes of the keys in `where` that reach `bound.min` keys or bytes. */
function readIdlePrefixes(source: Source, where: Where, { delimiter }: GroupContext, bound: IdleQuestion['bound']) {
  const other = bound.of === 'keys' ? 'bytes' : 'keys';
  return withFoldedPrefixes(source, where, delimiter, idleAggregates, bound, (groups, found) =>
    source.query<AllRow & IdlePrefix>(
      `SELECT *, ${ALL_SQL} FROM ${groups} WHERE ${bound.of} >= ${found.bind(bound.min)}::DOUBLE
       ORDER BY ${bound.of} DESC, ${other} DESC, path LIMIT ${MAX_GROUPS_READ}`,
      found.values,
    ),
  );
}

type PrefixesFound = Required<Pick<Found, 'groups' | 'all'>>;

const toPrefixesFound = (rows: (AllRow & IdlePrefix)[], idleSeconds: IdleQuestion['idleSeconds']): PrefixesFound => ({
  groups: rows.map((row) => ({
    subject: row.path,
    path: toPathOrNull(row.path),
    keys: row.keys,
    bytes: row.bytes,
    example: row.example,
    figures: {
      idleDays: Math.floor(idleSeconds(row) / SECONDS_OF_DAY),
      oldestDays: Math.floor(row.oldest / SECONDS_OF_DAY),
    },
  })),
  all: getAllTotals(rows),
});
