import type { RolledSource } from '@/lib/snapshots/reports/facts';
import { TTL_AHEAD } from '@/lib/snapshots/rollup/classes';
import { findRollupScope } from '@/lib/snapshots/rollup/scope';
import { addGroups, groupKeys } from './group-keys';
import type { NeededBy, SplitTable } from './needs';
import { readPartFacts } from './part-facts';
import { makeSizes } from './sizes-by-steps';
import { isReadSql, SPLIT_TABLES, type Split } from './split';
import { ALL_MATCH, UNITS } from './units';

/** Makes the tables and returns SQL to put after FROM, by table; null: more groups than `maxGroups` would be kept. */
export async function makeTables(
  source: RolledSource,
  split: Split,
  maxGroups: number,
): Promise<Partial<Record<SplitTable, string>> | null> {
  const { needs, part } = split;
  const known = await readPartFacts(source, split);
  if (known.groups > maxGroups) return null;
  const tables: SplitTable[] = needs.moments ? ['cells', 'moments'] : ['cells'];
  for (const table of tables) await copyWhole(source, table, split);
  if (part.paths.length > 0) {
    await groupKeys(source, split, known);
    await addGroups(source, split, known);
  }
  if (needs.sizes) await makeSizes(source, split, () => copyWhole(source, 'sizes', split));
  return Object.fromEntries(
    [...tables, ...(needs.sizes ? (['sizes'] as const) : [])].map((one) => [one, SPLIT_TABLES[one]]),
  );
}

/** Copies from the roll-up the rows of units whose keys all match the query and are not read. */
async function copyWhole(
  { rollup, query: ask }: RolledSource,
  table: SplitTable,
  { base, part, needs }: Split,
): Promise<void> {
  const { rows, where } = findRollupScope(rollup, table, base)!;
  await ask(
    `CREATE OR REPLACE TEMP TABLE ${SPLIT_TABLES[table]} AS SELECT ${COLUMNS[table](needs)}
     FROM (SELECT * FROM ${rows} ${where.sql}) one
     SEMI JOIN (SELECT * FROM ${UNITS} WHERE ${ALL_MATCH} AND NOT (${isReadSql(part)})) unit
     ON one.path = unit.path AND one.size = unit.size AND one.type IS NOT DISTINCT FROM unit.type GROUP BY ALL`,
    where.values,
  );
}

const STATE_SQL = `least(ttl, ${TTL_AHEAD})::UTINYINT AS ttl`;
const SUMS = 'sum(n)::BIGINT AS n, sum(sized)::BIGINT AS sized, sum(total)::DOUBLE AS total';
const COLUMNS: Record<SplitTable, (needs: NeededBy) => string> = {
  cells: ({ cells, state, names }) =>
    [
      ...['path', ...cells, ...(state ? [STATE_SQL] : []), SUMS, 'max(maxBytes) AS maxBytes'],
      ...['min(minExpire) AS minExpire', 'max(maxExpire) AS maxExpire', ...(names ? ['min(first) AS first'] : [])],
    ].join(', '),
  moments: () => `path, ${STATE_SQL}, step, begins, ${SUMS}`,
  sizes: () => 'type, step, sum(n)::BIGINT AS n',
};
