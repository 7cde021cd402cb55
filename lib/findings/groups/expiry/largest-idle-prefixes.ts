import { pathOrNull, withFoldedPrefixes } from '@/lib/findings/groups/counts/folded-prefixes';
import {
  ALL_SQL,
  type AllRow,
  allOf,
  type Found,
  type GroupContext,
  MAX_GROUPS_READ,
} from '@/lib/findings/groups/counts/group-answer';
import type { Where } from '@/lib/key-query/where-clause';
import type { Source } from '@/lib/snapshots/query/with-source';

/** Idle time of the keys of a prefix: name → [of the rows, of the groups]. */
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
  /** Seconds of the key that was touched last, of the one touched first, and of all together. */
  shortest: number;
  oldest: number;
  sum: number;
}

/** The prefixes of the keys in `where` that reach `min` keys or bytes, largest first, with the idle time of each. */
export async function largestIdlePrefixes(
  source: Source,
  where: Where,
  { delimiter }: GroupContext,
  bound: { of: 'keys' | 'bytes'; min: number },
  idleSeconds: (row: IdlePrefix) => number,
): Promise<Pick<Found, 'groups' | 'all'>> {
  const other = bound.of === 'keys' ? 'bytes' : 'keys';
  const rows = await withFoldedPrefixes(source, where, delimiter, idleAggregates, bound, (groups, found) =>
    source.query<AllRow & IdlePrefix>(
      `SELECT *, ${ALL_SQL} FROM ${groups} WHERE ${bound.of} >= ${found.bind(bound.min)}::DOUBLE
       ORDER BY ${bound.of} DESC, ${other} DESC, path LIMIT ${MAX_GROUPS_READ}`,
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
      figures: { idleDays: Math.floor(idleSeconds(row) / 86_400), oldestDays: Math.floor(row.oldest / 86_400) },
    })),
    all: allOf(rows),
  };
}
