import { pathOrNull, withFoldedPrefixes } from '@/lib/findings/groups/counts/folded-prefixes';
import {
  ALL_SQL,
  type AllRow,
  allOf,
  type Found,
  type GroupQuestion,
  MAX_GROUPS_READ,
  numberOf,
  whereOfRule,
} from '@/lib/findings/groups/counts/group-answer';
import { factsKnown, idleKnownSql } from '@/lib/findings/groups/counts/known-facts';

/**
 * V17: memory of keys that nobody touched for days, by prefix. Under an LFU policy the server does not tell, and a
 * replica not of reads.
 */
export const idleBytes: GroupQuestion = async (source, rule, context): Promise<Found> => {
  const seconds = Math.round(numberOf(rule.params, 'days', 30) * 86_400);
  const reported = idleKnownSql(source, seconds);
  const known = await factsKnown(source, rule, reported);
  if (known.keys > 0 && known.idle === 0) return { groups: [], blind: true, unknownKeys: known.keys };
  const where = whereOfRule(rule);
  where.and(`${reported} AND idle_seconds >= ${where.bind(BigInt(seconds))}::BIGINT`);
  // Idle keys whose memory is unknown: what is reported of the others may be too little.
  const [unmeasured] = await source.query<{ n: number }>(
    `SELECT count(*) - count(bytes) AS n FROM ${source.keys} ${where.sql}`,
    where.values,
  );
  const unknownKeys = known.keys - known.idle + (unmeasured?.n ?? 0);
  const aggregates = {
    oldest: ['max(idle_seconds)', 'max(oldest)'],
    meanIdle: ['sum(idle_seconds)::DOUBLE', 'sum(meanIdle)'],
  } as const;
  const min = numberOf(rule.params, 'bytes', 1_048_576);
  const rows = await withFoldedPrefixes(
    source,
    where,
    context.delimiter,
    aggregates,
    { of: 'bytes', min },
    (groups, found) =>
      source.query<AllRow & Row>(
        `SELECT *, ${ALL_SQL} FROM ${groups} WHERE bytes >= ${found.bind(min)}::DOUBLE
         ORDER BY bytes DESC, keys DESC, path LIMIT ${MAX_GROUPS_READ}`,
        found.values,
      ),
  );
  return {
    groups: rows.map((row) => ({
      subject: row.path,
      path: pathOrNull(row.path),
      keys: row.keys,
      bytes: row.bytes,
      example: row.example,
      figures: {
        idleDays: Math.floor(row.meanIdle / row.keys / 86_400),
        oldestDays: Math.floor(row.oldest / 86_400),
      },
    })),
    all: allOf(rows),
    unknownKeys,
  };
};

interface Row {
  path: string;
  keys: number;
  bytes: number;
  example: string;
  oldest: number;
  meanIdle: number;
}
