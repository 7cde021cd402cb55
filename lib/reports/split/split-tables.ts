import type { RolledSource } from '@/lib/reports/facts';
import { rollupScope } from '@/lib/rollup/scope';
import { addGroups, groupKeys } from './groups-of-keys';
import { knownOfPart } from './known-of-part';
import type { SplitTable } from './needs';
import { makeSizes } from './sizes-by-steps';
import { isReadSql, type Split, TABLES } from './split';
import { ALL_MEANT, UNITS } from './units';

/** @returns what goes behind FROM, by table */
export async function makeTables(source: RolledSource, split: Split): Promise<Partial<Record<SplitTable, string>>> {
  const { needs, some } = split;
  const tables: SplitTable[] = needs.moments ? ['cells', 'moments'] : ['cells'];
  for (const table of tables) await copyWhole(source, table, split);
  if (some.paths.length > 0) {
    const known = await knownOfPart(source, split);
    await groupKeys(source, split, known);
    await addGroups(source, split, known);
  }
  if (needs.sizes) await makeSizes(source, split, () => copyWhole(source, 'sizes', split));
  return Object.fromEntries([...tables, ...(needs.sizes ? (['sizes'] as const) : [])].map((one) => [one, TABLES[one]]));
}

/** Of the roll-up what lies in units of which all keys are meant, and of which no key is read. */
async function copyWhole(
  { rollup, connection }: RolledSource,
  table: SplitTable,
  { base, some }: Split,
): Promise<void> {
  const { rows, where } = rollupScope(rollup, table, base)!;
  const isRead = some.paths.length === 0 ? 'false' : isReadSql(some);
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE ${TABLES[table]} AS SELECT one.* FROM (SELECT * FROM ${rows} ${where.sql}) one
     SEMI JOIN (SELECT * FROM ${UNITS} WHERE ${ALL_MEANT} AND NOT (${isRead})) unit
     ON one.path = unit.path AND one.size = unit.size AND one.type IS NOT DISTINCT FROM unit.type`,
    where.values as never,
  );
}
