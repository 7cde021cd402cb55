import type { ReportQuery } from '@/lib/model/reports/query';
import type { Source } from '@/lib/snapshots/query/with-source';
import { BIG, PERHAPS_BIG, RECOGNISED } from '@/lib/snapshots/rollup/classes';
import type { Rollup } from '@/lib/snapshots/rollup/open-rollup';
import { findWiderScope } from '@/lib/snapshots/rollup/scope';

/** Whether some key on the path of a query is a bigkey, may be one, or is a recognised value. */
export interface KindsOfBig {
  big: boolean;
  perhaps: boolean;
  recognised: boolean;
}

/** Returns null if the roll-up cannot answer. */
export async function findKindsOfBig(
  { rollup, query: ask }: Pick<Source, 'query'> & { rollup: Rollup | null },
  { prefix, template, delimiter }: ReportQuery,
): Promise<KindsOfBig | null> {
  const scope = findWiderScope(rollup, { prefix, template, delimiter });
  if (scope === null) return null;
  const rows = await ask<{ big: number }>(
    `SELECT DISTINCT big FROM ${scope.rows} ${scope.where.sql}`,
    scope.where.values,
  );
  const has = (kind: number) => rows.some(({ big }) => big === kind);
  return { big: has(BIG), perhaps: has(PERHAPS_BIG), recognised: has(RECOGNISED) };
}
