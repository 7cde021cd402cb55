import { toWholeNumber } from '@/lib/snapshots/key-query/filter-where';
import { type SelectedKeys, selectFilteredKeys } from '@/lib/snapshots/key-query/keys-where';
import type { RolledSource } from '@/lib/snapshots/reports/facts';
import { sizeStepSql, stepSpan } from '@/lib/snapshots/rollup/classes';
import { findRollupScope } from '@/lib/snapshots/rollup/scope';
import { selectPartKeys } from './group-keys';
import { SPLIT_TABLES, type Split } from './split';

/**
 * Makes the table of sizes for the keys of the query. Steps are finer than classes, and below 1 KiB they are single
 * sizes, so bounds of size leave at most one step at each end whose keys have to be read. Bounds of length cannot be
 * applied to steps.
 */
export async function makeSizes(source: RolledSource, split: Split, copyWhole: () => Promise<void>): Promise<void> {
  const { query } = split;
  if (query.lengthMin === undefined && query.lengthMax === undefined) return addSizesBySteps(source, split);
  await copyWhole();
  if (split.part.paths.length > 0) await addKeySizes(source, selectPartKeys(source, split));
}

async function addSizesBySteps(source: RolledSource, { query, base }: Split): Promise<void> {
  const { rows, where } = findRollupScope(source.rollup, 'sizes', base)!;
  const [min, max] = [query.bytesMin ?? 0, query.bytesMax ?? Number.MAX_SAFE_INTEGER].map((bound, i) =>
    Number(toWholeNumber(i === 0 ? Math.max(0, Math.ceil(bound)) : Math.floor(bound))),
  ) as [number, number];
  const [first, last] = [stepSpan(min), stepSpan(max)];
  // The first step whose sizes all match, and the step after the last of them.
  const from = first.from === min ? min : first.before;
  const before = last.before - 1 === max ? last.before : last.from;
  where.and(`step >= ${where.bind(BigInt(from))}::BIGINT AND step < ${where.bind(BigInt(before))}::BIGINT`);
  await source.query(
    `CREATE OR REPLACE TEMP TABLE ${SPLIT_TABLES.sizes} AS SELECT type, step, sum(n)::BIGINT AS n FROM ${rows} ${where.sql} GROUP BY 1, 2`,
    where.values,
  );
  const selected = selectFilteredKeys(source, query);
  const ends = [
    ...(from > min ? [`bytes < ${from}`] : []),
    ...(before <= max ? [`bytes >= ${Math.max(from, before)}`] : []),
  ];
  if (ends.length === 0) return;
  selected.where.and(`(${ends.join(' OR ')})`);
  await addKeySizes(source, selected);
}

async function addKeySizes(source: RolledSource, { keys, where }: SelectedKeys): Promise<void> {
  where.and('bytes IS NOT NULL');
  await source.query(
    `INSERT INTO ${SPLIT_TABLES.sizes} BY NAME
     SELECT type, step, count(*)::BIGINT AS n FROM (SELECT type, ${sizeStepSql} AS step FROM ${keys} ${where.sql}) GROUP BY 1, 2`,
    where.values,
  );
}
