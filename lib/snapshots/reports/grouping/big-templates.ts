import type { ReportQuery } from '@/lib/model/reports/query';
import type { Source } from '@/lib/snapshots/query/with-source';
import { BIG, PERHAPS_BIG, RECOGNISED } from '@/lib/snapshots/rollup/classes';
import { type Rollup, toTemplate } from '@/lib/snapshots/rollup/open-rollup';
import { findWiderScope } from '@/lib/snapshots/rollup/scope';

/** The templates on the path of a query that have bigkeys, possible bigkeys or recognised values: few or none. */
export interface BigTemplates {
  big: ReadonlySet<string>;
  perhaps: ReadonlySet<string>;
  recognised: ReadonlySet<string>;
  /** No bigkey has fewer bytes, or fewer elements; null: not known. */
  minBytes: number | null;
  minLength: number | null;
}

/** Returns null if the roll-up cannot answer. */
export async function findBigTemplates(
  { rollup, query: ask }: Pick<Source, 'query'> & { rollup: Rollup | null },
  { prefix, template, delimiter }: ReportQuery,
): Promise<BigTemplates | null> {
  const scope = findWiderScope(rollup, { prefix, template, delimiter });
  if (scope === null) return null;
  const found = await ask<Found>(
    `SELECT path, big, CASE WHEN sum(sized) = sum(n) THEN min(minBytes) END AS minBytes,
       CASE WHEN sum(measured) = sum(n) THEN min(minLength) END AS minLength
     FROM ${scope.rows} ${scope.where.and('big > 0').sql} GROUP BY 1, 2`,
    scope.where.values,
  );
  const selectTemplates = (kind: number) =>
    new Set(found.filter(({ big }) => big === kind).map(({ path }) => toTemplate(rollup!.paths[path]!)));
  const findMinimum = (of: (row: Found) => number | null) => {
    const all = found.filter(({ big }) => big === BIG).map(of);
    return all.length === 0 || all.includes(null) ? null : Math.min(...(all as number[]));
  };
  return {
    big: selectTemplates(BIG),
    perhaps: selectTemplates(PERHAPS_BIG),
    recognised: selectTemplates(RECOGNISED),
    minBytes: findMinimum(({ minBytes }) => minBytes),
    minLength: findMinimum(({ minLength }) => minLength),
  };
}

type Found = { path: number; big: number; minBytes: number | null; minLength: number | null };
