import type { ReportQuery } from '@/lib/model/reports/query';
import { toWholeNumber } from '@/lib/snapshots/key-query/filter-where';
import type { Where } from '@/lib/snapshots/key-query/where-clause';
import type { Source } from '@/lib/snapshots/query/with-source';
import type { Scope } from '@/lib/snapshots/rollup/scope';

/**
 * A unit is all cells of one path, type and class of size, which every table of the roll-up distinguishes. This table
 * records whether all of the keys of a unit are within the bounds of a query, none, or some.
 */
export const UNITS = 'asked_units';
/** Values of the column `verdict`: how many keys of a unit match. The lower of two verdicts counts. */
const NONE = 0;
const SOME = 1;
const ALL = 2;

/** Bounds that the minimum and maximum in cells can decide. */
export const BOUNDS = ['bytesMin', 'bytesMax', 'lengthMin', 'lengthMax'] as const;

/**
 * Numbers of keys of a path in units of which all, some or no keys match, and the classes of size (`from`, `to`) of the
 * units of which some match.
 */
export interface PathUnits extends Record<string, unknown> {
  path: number;
  all: number;
  some: number;
  none: number;
  /** null: there is no unit of which only some keys match. */
  from: number | null;
  to: number | null;
}

/**
 * Makes the table UNITS and returns its sums by path. `cells` are the cells with all keys of the query without its
 * bounds.
 */
export async function makeUnits(
  { query: ask }: Pick<Source, 'query'>,
  cells: Scope,
  query: ReportQuery,
): Promise<PathUnits[]> {
  const where = cells.where.copy();
  const bytes = verdictSql(where, { min: query.bytesMin, max: query.bytesMax }, BYTES);
  const length = verdictSql(where, { min: query.lengthMin, max: query.lengthMax }, LENGTH);
  await ask(
    `CREATE OR REPLACE TEMP TABLE ${UNITS} AS SELECT path, type, size, n, least(${bytes}, ${length}) AS verdict FROM (
       SELECT path, type, size, sum(n)::BIGINT AS n, sum(sized)::BIGINT AS sized, min(minBytes) AS minBytes, max(maxBytes) AS maxBytes,
         sum(measured)::BIGINT AS measured, min(minLength) AS minLength, max(maxLength) AS maxLength
       FROM ${cells.rows} ${cells.where.sql} GROUP BY 1, 2, 3)`,
    where.values,
  );
  return ask<PathUnits>(
    `SELECT path, coalesce(sum(n) FILTER (verdict = ${ALL}), 0)::DOUBLE AS "all",
       coalesce(sum(n) FILTER (verdict = ${SOME}), 0)::DOUBLE AS "some", coalesce(sum(n) FILTER (verdict = ${NONE}), 0)::DOUBLE AS "none",
       min(size) FILTER (verdict = ${SOME}) AS "from", max(size) FILTER (verdict = ${SOME}) AS "to"
     FROM ${UNITS} GROUP BY path ORDER BY path`,
  );
}

/** SQL that is true for units of which all keys match. */
export const ALL_MATCH = `verdict = ${ALL}`;

interface Bounds {
  min: number | undefined;
  max: number | undefined;
}
/** Names of the columns of a unit: the number of keys whose value is known, and the extremes of these values. */
interface Extremes {
  known: string;
  low: string;
  high: string;
}
const BYTES: Extremes = { known: 'sized', low: 'minBytes', high: 'maxBytes' };
const LENGTH: Extremes = { known: 'measured', low: 'minLength', high: 'maxLength' };

/** SQL for the verdict on a unit. A key does not match if its number is unknown (filter-where.ts). */
function verdictSql(where: Where, { min, max }: Bounds, { known, low, high }: Extremes): string {
  const terms: { none: string; all: string }[] = [];
  if (min !== undefined) {
    const bound = `${where.bind(toWholeNumber(Math.ceil(min)))}::BIGINT`;
    terms.push({ none: `${high} < ${bound}`, all: `${low} >= ${bound}` });
  }
  if (max !== undefined) {
    const bound = `${where.bind(toWholeNumber(Math.floor(max)))}::BIGINT`;
    terms.push({ none: `${low} > ${bound}`, all: `${high} <= ${bound}` });
  }
  if (terms.length === 0) return String(ALL);
  const none = [`${known} = 0`, ...terms.map((term) => term.none)].join(' OR ');
  const all = [`${known} = n`, ...terms.map((term) => term.all)].join(' AND ');
  return `CASE WHEN ${none} THEN ${NONE} WHEN ${all} THEN ${ALL} ELSE ${SOME} END`;
}
