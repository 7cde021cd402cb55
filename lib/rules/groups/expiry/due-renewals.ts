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
  readNumber,
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
 * T7: prefixes whose keys live long and many of which are about to expire, so nobody renews them. The server does not
 * report which time to live keys were given; the longest remaining times in a prefix stand for it. Hours are exact
 * enough for lives of days, and few enough to be counted separately for millions of keys. They are counted exactly, so
 * the answer is the same every time.
 */
export const findDueRenewals: GroupQuestion = async (source, rule, context): Promise<Found> => {
  const known = await countKnownFacts(source, rule);
  const unknownKeys = known.keys - known.expiry;
  if (known.keys > 0 && known.expiry === 0) return { groups: [], blind: true, unknownKeys };
  const where = buildRuleWhere(rule);
  const asOf = `${where.bind(BigInt(Math.trunc(context.asOf)))}::BIGINT`;
  where.and(`expire_at > ${asOf}`);
  const prefix = prefixSql(where, context.delimiter);
  const min = readNumber(rule.params, 'keys', 100);
  const crowded = where.copy();
  const real = (name: string, otherwise: number) => `${where.bind(readNumber(rule.params, name, otherwise))}::DOUBLE`;
  const longHours = `24 * ${real('days', 7)}`;
  const part = `${real('percent', 10)} / 100`;
  const fewest = `${where.bind(min)}::DOUBLE`;
  const share = real('share', 0.2);
  // A prefix with fewer than `min` keys cannot have `min` keys that are about to expire.
  const rows = await withCrowdedPrefixes(source, crowded, prefix, min, (keys) =>
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
       WHERE usual >= ${longHours} AND hour + 1 <= usual * ${part} GROUP BY prefix)
     SELECT *, ${ALL_SQL} FROM due WHERE keys >= ${fewest} AND keys >= ${share} * total
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
        dueWithinHours: Math.floor((row.usual * readNumber(rule.params, 'percent', 10)) / 100),
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
  total: number;
  usual: number;
}
