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

/** T2: prefixes with many keys that neither expire nor were touched for days. */
export const forgottenKeys: GroupQuestion = async (source, rule, context): Promise<Found> => {
  const seconds = Math.round(numberOf(rule.params, 'days', 30) * 86_400);
  const reported = idleKnownSql(source, seconds);
  const known = await factsKnown(source, rule, reported);
  const unknownKeys = known.idleOrExpiryUnknown;
  if (known.keys > 0 && (known.idle === 0 || known.expiry === 0)) return { groups: [], blind: true, unknownKeys };
  const where = whereOfRule(rule);
  where.and(
    `expire_at IS NULL AND expiry_known AND ${reported} AND idle_seconds >= ${where.bind(BigInt(seconds))}::BIGINT`,
  );
  const aggregates = {
    idle: ['min(idle_seconds)', 'min(idle)'],
    oldest: ['max(idle_seconds)', 'max(oldest)'],
  } as const;
  const min = numberOf(rule.params, 'keys', 1000);
  const rows = await withFoldedPrefixes(
    source,
    where,
    context.delimiter,
    aggregates,
    { of: 'keys', min },
    (groups, found) =>
      source.query<AllRow & Row>(
        `SELECT *, ${ALL_SQL} FROM ${groups} WHERE keys >= ${found.bind(min)}::DOUBLE
         ORDER BY keys DESC, bytes DESC, path LIMIT ${MAX_GROUPS_READ}`,
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
      figures: { idleDays: Math.floor(row.idle / 86_400), oldestDays: Math.floor(row.oldest / 86_400) },
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
  idle: number;
  oldest: number;
}
