import { escapeSegment } from '@/lib/model/names/written-segment';
import { toPathOrNull } from '@/lib/rules/groups/counts/folded-prefixes';
import {
  ALL_SQL,
  type AllRow,
  buildRuleWhere,
  type Found,
  type GroupQuestion,
  getAllTotals,
  MAX_GROUPS_READ,
} from '@/lib/rules/groups/counts/group-answer';
import { countKnownFacts } from '@/lib/rules/groups/counts/known-facts';
import { withCrowdedPrefixes } from '@/lib/rules/groups/counts/many-prefixes';
import { prefixSql } from '@/lib/snapshots/key-query/prefix-sql';

/**
 * 95 of 100 keys of a prefix have less than its usual time to live, so that one forgotten key of ten years does not
 * count.
 */
const USUAL_SHARE = 0.95;

/**
 * T7: prefixes whose keys live long and many of which are about to expire, so nothing renews them. The server does not
 * report which time to live keys were given, so the longest remaining times in a prefix are taken for it (`usual`, in
 * hours). Keys are counted by hour: that is exact enough for lives of days, and there are few enough hours to be
 * counted separately for millions of keys.
 */
export const findDueRenewals: GroupQuestion = async (source, rule, context): Promise<Found> => {
  const known = await countKnownFacts(source, rule);
  const unknownKeys = known.keys - known.expiry;
  if (known.keys > 0 && known.expiry === 0) return { groups: [], blind: true, unknownKeys };
  const where = buildRuleWhere(rule);
  const asOf = `${where.bind(BigInt(Math.trunc(context.asOf)))}::BIGINT`;
  where.and(`expire_at > ${asOf}`);
  const prefix = prefixSql(where, context.delimiter);
  const min = Number(rule.params.keys);
  const crowdedWhere = where.copy();
  const real = (name: string) => `${where.bind(Number(rule.params[name]))}::DOUBLE`;
  const longHours = `24 * ${real('days')}`;
  const dueShare = `${real('percent')} / 100`;
  const minKeys = `${where.bind(min)}::DOUBLE`;
  const share = real('share');
  // A prefix with fewer than `min` keys cannot have `min` keys that are about to expire.
  const rows = await withCrowdedPrefixes(source, crowdedWhere, prefix, min, (keys) =>
    source.query<AllRow & Row>(
      `WITH hours AS (
       SELECT ${prefix} AS prefix, (expire_at - ${asOf}) // 3600000 AS hour, count(*)::DOUBLE AS keys,
         coalesce(sum(bytes), 0)::DOUBLE AS bytes, min(name) AS example
       FROM ${keys} ${where.sql} GROUP BY 1, 2),
     summed AS (
       SELECT prefix, hour, sum(keys) OVER (PARTITION BY prefix ORDER BY hour) AS upTo, sum(keys) OVER (PARTITION BY prefix) AS total
       FROM hours),
     usual AS (
       SELECT prefix, any_value(total) AS total, min(hour) FILTER (upTo >= ${USUAL_SHARE} * total) + 1 AS usual
       FROM summed GROUP BY prefix),
     due AS (
       SELECT prefix, any_value(total) AS total, any_value(usual) AS usual, sum(keys) AS keys, sum(bytes) AS bytes, min(example) AS example
       FROM hours JOIN usual USING (prefix)
       WHERE usual >= ${longHours} AND hour + 1 <= usual * ${dueShare} GROUP BY prefix)
     SELECT *, ${ALL_SQL} FROM due WHERE keys >= ${minKeys} AND keys >= ${share} * total
     ORDER BY keys DESC, prefix LIMIT ${MAX_GROUPS_READ}`,
      where.values,
    ),
  );
  return {
    groups: rows.map((row) => ({
      subject: row.prefix,
      path: toPathOrNull(row.prefix.split(context.delimiter).map(escapeSegment).join(context.delimiter)),
      keys: row.keys,
      bytes: row.bytes,
      example: row.example,
      figures: {
        usualDays: Math.round((row.usual / 24) * 10) / 10,
        dueWithinHours: Math.floor((row.usual * Number(rule.params.percent)) / 100),
        sharePrefix: row.keys / row.total,
      },
    })),
    all: getAllTotals(rows),
    unknownKeys,
  };
};

interface Row {
  prefix: string;
  keys: number;
  bytes: number;
  example: string;
  /** All keys of the prefix that expire. */
  total: number;
  /** Hours. */
  usual: number;
}
