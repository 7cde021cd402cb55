import type { ReportQuery } from '@/lib/model/reports/query';
import { BIG, PERHAPS_BIG, RECOGNISED } from '@/lib/rollup/classes';
import { type Rollup, templateOf } from '@/lib/rollup/open-rollup';
import { widerScope } from '@/lib/rollup/scope';
import type { Source } from '@/lib/snapshots/query/with-source';

/** The templates on the path of a question that have such keys: few or none. */
export interface BigTemplates {
  big: ReadonlySet<string>;
  perhaps: ReadonlySet<string>;
  recognised: ReadonlySet<string>;
}

/** null: the roll-up cannot tell. */
export async function bigTemplates(
  { rollup, query: ask }: Pick<Source, 'query'> & { rollup: Rollup | null },
  { prefix, template, delimiter }: ReportQuery,
): Promise<BigTemplates | null> {
  const scope = widerScope(rollup, { prefix, template, delimiter });
  if (scope === null) return null;
  const found = await ask<{ path: number; big: number }>(
    `SELECT path, big FROM ${scope.rows} ${scope.where.and('big > 0').sql} GROUP BY 1, 2`,
    scope.where.values,
  );
  const of = (kind: number) =>
    new Set(found.filter(({ big }) => big === kind).map(({ path }) => templateOf(rollup!.paths[path]!)));
  return { big: of(BIG), perhaps: of(PERHAPS_BIG), recognised: of(RECOGNISED) };
}
