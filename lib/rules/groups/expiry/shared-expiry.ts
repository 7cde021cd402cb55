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
import { STORM_SIGMAS, stormTablesSql } from '@/lib/snapshots/rollup/storm-sql';

/**
 * T4: keys of one prefix that expire together. A group is a minute with far more keys than an even spread would give
 * (the storms of the report on expiry) or, in minutes that are no storm, a second with far more: a job has written keys
 * with one EXPIREAT. Only seconds in which enough keys of all prefixes expire are split by prefix, because there may be
 * as many seconds as keys.
 */
export const findSharedExpiry: GroupQuestion = async (source, rule, context): Promise<Found> => {
  const known = await countKnownFacts(source, rule);
  const unknownKeys = known.keys - known.expiry;
  if (known.keys > 0 && known.expiry === 0) return { groups: [], blind: true, unknownKeys };
  const where = buildRuleWhere(rule);
  where.and(`expire_at > ${where.bind(BigInt(Math.trunc(context.asOf)))}::BIGINT`);
  const prefix = prefixSql(where, context.delimiter);
  const crowdedWhere = where.copy();
  const min = Number(rule.params.keys);
  const keys = `${where.bind(min)}::DOUBLE`;
  const times = `${where.bind(Number(rule.params.times))}::DOUBLE`;
  // A prefix with fewer keys than a storm needs cannot have one.
  const rows = await withCrowdedPrefixes(source, crowdedWhere, prefix, min, (crowdedKeys) =>
    source.query<AllRow & Row>(
      `WITH ${stormTablesSql(crowdedKeys, where.sql, prefix, { keys, times })},
       crowded AS (SELECT expire_at // 1000 AS second FROM ${crowdedKeys} ${where.sql} GROUP BY 1 HAVING count(*) >= ${keys}),
       moments AS (
         SELECT ${prefix} AS prefix, second, count(*) AS keys, coalesce(sum(bytes), 0)::DOUBLE AS bytes
         FROM (SELECT name, bytes, expire_at // 1000 AS second FROM ${crowdedKeys} ${where.sql}) SEMI JOIN crowded USING (second)
         GROUP BY 1, 2 HAVING count(*) >= ${keys}),
       usual AS (SELECT prefix, total, total::DOUBLE / greatest(high - low + 1, 10) AS expected FROM windows),
       found AS (
         SELECT prefix, minute, keys::DOUBLE AS keys, bytes, expected, NULL::BIGINT AS second FROM storms
         UNION ALL BY NAME
         SELECT prefix, minute, sum(keys)::DOUBLE AS keys, sum(bytes) AS bytes, any_value(expected) / 60 AS expected,
           arg_max(second, keys) AS second
         FROM (SELECT moments.*, second // 60 AS minute, second // 30 AS half, expected FROM moments JOIN usual USING (prefix)
           WHERE keys > ${times} * expected / 60 AND keys > expected / 60 + ${STORM_SIGMAS} * sqrt(expected / 60))
           ANTI JOIN stormy USING (prefix, half)
         GROUP BY 1, 2)
     SELECT found.*, total::DOUBLE AS total, ${ALL_SQL} FROM found JOIN usual u USING (prefix)
     ORDER BY keys DESC, minute, prefix LIMIT ${MAX_GROUPS_READ}`,
      where.values,
    ),
  );
  return {
    groups: rows.map((row) => ({
      subject: row.prefix,
      path: toPathOrNull(row.prefix.split(context.delimiter).map(escapeSegment).join(context.delimiter)),
      minute: row.minute * 60_000,
      keys: row.keys,
      bytes: row.bytes,
      example: null,
      figures: {
        expected: row.expected,
        times: row.expected > 0 ? row.keys / row.expected : row.keys,
        sharePrefix: row.total > 0 ? row.keys / row.total : 0,
        ...(row.second === null ? {} : { second: row.second * 1000 }),
      },
    })),
    all: getAllTotals(rows),
    unknownKeys,
  };
};

interface Row {
  prefix: string;
  minute: number;
  keys: number;
  bytes: number;
  expected: number;
  second: number | null;
  total: number;
}
