import { compareNameBytes, limitToRange, type NameRange } from '@/lib/snapshots/key-query/name-range';
import { Where } from '@/lib/snapshots/key-query/where-clause';
import type { Source } from '@/lib/snapshots/query/with-source';

/** Keys of each snapshot that are joined at a time. */
export const CUT_ROWS = 250_000;

/**
 * Cuts a range of names so that no file has more than about `rows` keys between two cuts: in each sorted file every
 * `rows`-th name is a cut. Keys of one name are never separated, however many databases have that name.
 */
export async function cutNames(
  source: Source,
  files: readonly string[],
  range: NameRange,
  rows: number,
): Promise<NameRange[]> {
  const borders = new Set<string>();
  for (const keys of files) {
    const where = new Where();
    limitToRange(where, range);
    const every = `${where.bind(BigInt(rows))}::BIGINT`;
    const found = await source.query<{ name: string }>(
      `SELECT name FROM (SELECT name, row_number() OVER () AS n FROM ${keys} ${where.sql}) WHERE n % ${every} = 0`,
      where.values,
    );
    for (const { name } of found) borders.add(name);
  }
  borders.delete(range.from);
  const sorted = [...borders].sort(compareNameBytes);
  return [range.from, ...sorted].map((from, i) => ({ from, to: sorted[i] ?? range.to }));
}
