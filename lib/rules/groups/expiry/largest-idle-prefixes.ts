import { toPathOrNull, withFoldedPrefixes } from '@/lib/rules/groups/counts/folded-prefixes';
import {
  ALL_SQL,
  type AllRow,
  buildRuleWhere,
  type Found,
  type GroupContext,
  type GroupRule,
  getAllTotals,
  MAX_GROUPS_READ,
} from '@/lib/rules/groups/counts/group-answer';
import type { Where } from '@/lib/snapshots/key-query/where-clause';
import type { Source } from '@/lib/snapshots/query/with-source';

/** Aggregates of the idle time of a prefix: SQL over its keys, and SQL over the prefixes of a path. */
const idleAggregates = {
  shortest: ['min(idle_seconds)', 'min(shortest)'],
  oldest: ['max(idle_seconds)', 'max(oldest)'],
  sum: ['sum(idle_seconds)::DOUBLE', 'sum(sum)'],
} as const;

export interface IdlePrefix {
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

interface Asked {
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
export async function findLargestIdlePrefixes(
  source: Source,
  rule: GroupRule,
  context: GroupContext,
  { bound, idle, possible, unknownKeys, idleSeconds }: Asked,
): Promise<Found> {
  const findReaching = async (which: string) =>
    toPrefixesFound(await readIdlePrefixes(source, buildRuleWhere(rule).and(which), context, bound), idleSeconds);
  const found = await findReaching(idle);
  if (unknownKeys === 0 || hasOpenPrefix(found, rule, context)) return { ...found, unknownKeys };
  const matters =
    (bound.of === 'bytes' && (await hasUnmeasured(source, buildRuleWhere(rule).and(possible)))) ||
    hasOpenPrefix(await findReaching(possible), rule, context);
  return { ...found, unknownKeys: matters ? unknownKeys : 0 };
}

/** Whether a prefix that is not exempted was found. Prefixes that were found but not read count as not exempted. */
const hasOpenPrefix = ({ groups, all }: PrefixesFound, rule: GroupRule, context: GroupContext) =>
  all.groups > groups.length || groups.some(({ path, subject }) => !context.exempt(rule.id, path ?? subject));

async function hasUnmeasured(source: Source, where: Where): Promise<boolean> {
  const [row] = await source.query<{ n: number }>(
    `SELECT count(*) - count(bytes) AS n FROM ${source.keys} ${where.sql}`,
    where.values,
  );
  return (row?.n ?? 0) > 0;
}

/** Returns the prefixes of the keys in `where` that reach `bound.min` keys or bytes. */
function readIdlePrefixes(source: Source, where: Where, { delimiter }: GroupContext, bound: Asked['bound']) {
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

const toPrefixesFound = (rows: (AllRow & IdlePrefix)[], idleSeconds: Asked['idleSeconds']): PrefixesFound => ({
  groups: rows.map((row) => ({
    subject: row.path,
    path: toPathOrNull(row.path),
    keys: row.keys,
    bytes: row.bytes,
    example: row.example,
    figures: { idleDays: Math.floor(idleSeconds(row) / 86_400), oldestDays: Math.floor(row.oldest / 86_400) },
  })),
  all: getAllTotals(rows),
});
