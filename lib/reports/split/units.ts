import { whole } from '@/lib/key-query/filter-where';
import type { Where } from '@/lib/key-query/where-clause';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { Scope } from '@/lib/rollup/scope';
import type { Source } from '@/lib/snapshots/query/with-source';

/**
 * Cells of one path, type and class of size, which the tables of the roll-up all tell apart: whether the bounds of a
 * question mean all of their keys, none, or some.
 */
export const UNITS = 'asked_units';
const NONE = 0;
const SOME = 1;
const ALL = 2;

/** Fields whose bounds the extremes of cells can decide. */
export const BOUNDS = ['bytesMin', 'bytesMax', 'lengthMin', 'lengthMax'] as const;

/** How many keys of a path are in units of which all, some, or none are meant, and the classes of the second. */
export interface PathUnits extends Record<string, unknown> {
  path: number;
  all: number;
  some: number;
  none: number;
  /** null: there is no unit of which some are meant. */
  from: number | null;
  to: number | null;
}

/** Keeps them as the table UNITS. `cells`: those with all keys that are meant but for the bounds. */
export async function unitsOf(
  { query: ask }: Pick<Source, 'query'>,
  cells: Scope,
  query: ReportQuery,
): Promise<PathUnits[]> {
  const where = cells.where.copy();
  const bytes = verdictSql(where, { min: query.bytesMin, max: query.bytesMax }, BYTES);
  const length = verdictSql(where, { min: query.lengthMin, max: query.lengthMax }, LENGTH);
  await ask(
    `CREATE OR REPLACE TEMP TABLE ${UNITS} AS SELECT path, type, size, n, least(${bytes}, ${length}) AS meant FROM (
       SELECT path, type, size, sum(n)::BIGINT AS n, sum(sized)::BIGINT AS sized, min(minBytes) AS minBytes, max(maxBytes) AS maxBytes,
         sum(measured)::BIGINT AS measured, min(minLength) AS minLength, max(maxLength) AS maxLength
       FROM ${cells.rows} ${cells.where.sql} GROUP BY 1, 2, 3)`,
    where.values,
  );
  return ask<PathUnits>(
    `SELECT path, coalesce(sum(n) FILTER (meant = ${ALL}), 0)::DOUBLE AS "all", coalesce(sum(n) FILTER (meant = ${SOME}), 0)::DOUBLE AS "some",
       coalesce(sum(n) FILTER (meant = ${NONE}), 0)::DOUBLE AS "none",
       min(size) FILTER (meant = ${SOME}) AS "from", max(size) FILTER (meant = ${SOME}) AS "to"
     FROM ${UNITS} GROUP BY path ORDER BY path`,
  );
}

export const ALL_MEANT = `meant = ${ALL}`;

interface Bounds {
  min: number | undefined;
  max: number | undefined;
}
interface Extremes {
  known: string;
  low: string;
  high: string;
}
const BYTES: Extremes = { known: 'sized', low: 'minBytes', high: 'maxBytes' };
const LENGTH: Extremes = { known: 'measured', low: 'minLength', high: 'maxLength' };

/** Where a number is unknown, its key is not meant (filter-where.ts). */
function verdictSql(where: Where, { min, max }: Bounds, { known, low, high }: Extremes): string {
  const terms: { none: string; all: string }[] = [];
  if (min !== undefined) {
    const bound = `${where.bind(whole(Math.ceil(min)))}::BIGINT`;
    terms.push({ none: `${high} < ${bound}`, all: `${low} >= ${bound}` });
  }
  if (max !== undefined) {
    const bound = `${where.bind(whole(Math.floor(max)))}::BIGINT`;
    terms.push({ none: `${low} > ${bound}`, all: `${high} <= ${bound}` });
  }
  if (terms.length === 0) return String(ALL);
  const none = [`${known} = 0`, ...terms.map((term) => term.none)].join(' OR ');
  const all = [`${known} = n`, ...terms.map((term) => term.all)].join(' AND ');
  return `CASE WHEN ${none} THEN ${NONE} WHEN ${all} THEN ${ALL} ELSE ${SOME} END`;
}
