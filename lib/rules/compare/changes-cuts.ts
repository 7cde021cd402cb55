import { limitToRange } from '@/lib/rules/evaluate/pass-sql';
import { Where } from '@/lib/snapshots/key-query/where-clause';
import type { Source } from '@/lib/snapshots/query/with-source';

/** A range of names: `from` is included, `to` is not; `to` null means to the end. */
export interface NameCut {
  from: string;
  to: string | null;
}

/**
 * Cuts a range of names so that no file has more than about `rows` keys between two cuts: in each sorted file every
 * `rows`-th name is a cut. Keys of one name are never separated, however many databases have that name.
 */
export async function cutNames(
  source: Source,
  files: readonly string[],
  range: NameCut,
  rows: number,
): Promise<NameCut[]> {
  const borders = new Map<string, Buffer>();
  for (const keys of files) {
    const where = new Where();
    limitToRange(where, range);
    const every = `${where.bind(BigInt(rows))}::BIGINT`;
    const found = await source.query<{ name: string }>(
      `SELECT name FROM (SELECT name, row_number() OVER () AS n FROM ${keys} ${where.sql}) WHERE n % ${every} = 0 ORDER BY name`,
      where.values,
    );
    for (const { name } of found) if (name !== range.from) borders.set(name, Buffer.from(name));
  }
  const sorted = [...borders].sort(([, a], [, b]) => Buffer.compare(a, b)).map(([name]) => name);
  return [range.from, ...sorted].map((from, i) => ({ from, to: sorted[i] ?? range.to }));
}
