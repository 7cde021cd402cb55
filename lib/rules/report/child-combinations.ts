import type { ReportQuery } from '@/lib/model/reports/query';
import type { Combination } from '@/lib/rules/evaluate/combinations';
import { groupZonesByProfile, rollupSql } from '@/lib/rules/evaluate/pass-sql';
import type { CompiledPolicy } from '@/lib/rules/policy/compile-policy';
import { buildFilterWhere } from '@/lib/snapshots/key-query/filter-where';
import { findLiteralPrefix, parsePath } from '@/lib/snapshots/key-query/folded-path';
import { findNextPrefix } from '@/lib/snapshots/key-query/next-prefix';
import { selectKeysBetween } from '@/lib/snapshots/query/select-keys-between';
import type { Source } from '@/lib/snapshots/query/with-source';

/** Sums of the roll-up. `violated` is the mask as decimal text. */
export type SummedRow = Record<string, unknown> &
  Pick<Combination, 'profile' | 'zone' | 'keys' | 'bytes'> & { violated: string };

/**
 * Returns which rules the keys below some children of a tree level violate, by child. It runs one statement per
 * profile, however many children there are, because planning the rules takes longer than evaluating them on some
 * thousand keys.
 *
 * @param level The path of the level in folded form, as the report gives it, and its number of segments.
 *
 * @param segments The children's segments as they are in the names. Must not be empty.
 */
export async function readChildCombinations(
  source: Source,
  compiled: CompiledPolicy,
  filter: ReportQuery,
  level: { path: string; depth: number; delimiter: string },
  segments: readonly string[],
): Promise<Map<string, Combination[]>> {
  const found = new Map<string, Combination[]>();
  for (const run of groupZonesByProfile(compiled.zones)) {
    const where = buildFilterWhere({ ...filter, template: level.path }, source, level.delimiter);
    const segment = `split_part(name, ${where.bind(level.delimiter)}::VARCHAR, ${level.depth + 1})`;
    let { keys } = source;
    const literal = findLiteralPrefix(parsePath(level.path, level.delimiter), level.delimiter);
    if (literal.whole && (literal.text === '' || literal.text.endsWith(level.delimiter))) {
      // All children are between the first and the last of them, so row groups outside are not read. The ends are
      // sorted with the delimiter, because `12:x` comes after `123`.
      const names = segments.map((child) => Buffer.from(literal.text + child)).sort(Buffer.compare);
      const ends = segments.map((child) => Buffer.from(literal.text + child + level.delimiter)).sort(Buffer.compare);
      where.and(`name >= ${where.bind(names[0]!.toString())}::VARCHAR`);
      const next = findNextPrefix(ends.at(-1)!.toString());
      if (next !== null) {
        where.and(`name < ${where.bind(next)}::VARCHAR`);
        keys = selectKeysBetween(source, names[0]!.toString(), next);
      }
    }
    where.and(`list_contains([${segments.map((child) => `${where.bind(child)}::VARCHAR`).join(', ')}], ${segment})`);
    const rows = await source.query<SummedRow & { child: string }>(
      `SELECT child, profile, zone, violated::VARCHAR AS violated, sum(keys)::DOUBLE AS keys, sum(bytes)::DOUBLE AS bytes
       FROM (${rollupSql(keys, where, compiled, run, segment)}) GROUP BY ALL`,
      where.values,
    );
    for (const row of rows) found.set(row.child, [...(found.get(row.child) ?? []), toCombination(row)]);
  }
  return found;
}

/** A combination of which only the violated rules and the sums are used; the other fields are empty. */
export const toCombination = ({ profile, zone, keys, bytes, violated }: SummedRow): Combination => ({
  ...{ profile, zone, keys, bytes, violated: BigInt(violated) },
  ...{ exempted: 0n, notEvaluated: 0n, bytesUnknown: 0, largest: 0, firstName: '' },
});
