import type { ReportQuery } from '@/lib/model/reports/query';
import type { TypesReport } from '@/lib/model/reports/reports';
import { computeAverage, type TotalsRow, toTotals } from '@/lib/snapshots/key-query/totals-sql';
import type { Row, SqlValue } from '@/lib/snapshots/query/duckdb';
import { waitForBoth } from '@/lib/snapshots/query/wait-for-both';
import { buildFacts, buildKeyFacts, CELL_TOTALS, type Facts, type RolledSource } from '@/lib/snapshots/reports/facts';
import {
  BIG,
  PERHAPS_BIG,
  sizeStepSql,
  TTL_AHEAD,
  TTL_EXPIRED,
  TTL_NONE,
  TTL_UNKNOWN,
} from '@/lib/snapshots/rollup/classes';
import { findRollupScope } from '@/lib/snapshots/rollup/scope';
import { withGroups } from './with-groups';

/**
 * Counts keys and sizes per type, and per encoding. Percentiles are exact below 1 KiB and at most 1.6 % too small
 * above: sizes are counted in steps (lib/snapshots/rollup/classes.ts), of which there are few, so that no percentile
 * keeps every value in memory.
 */
export async function computeTypeShares(source: RolledSource, query: ReportQuery): Promise<TypesReport> {
  const facts = buildFacts(source, query);
  const withExpiry = facts.keys(facts.any);
  if (facts.scope !== null)
    return readShares(source, {
      from: `${facts.rows} ${facts.where.sql}`,
      values: facts.where.values,
      totals: facts.totals,
      maxBytes: facts.maxBytes,
      withExpiry,
      steps: buildSizeSteps(source, query),
      areStepsRolled: findRollupScope(source.rollup, 'sizes', query) !== null,
    });
  const groups = `SELECT type, encoding, CASE WHEN bytes IS NOT NULL THEN ${sizeStepSql} END AS size, count(*) AS n,
      count(bytes) AS sized, sum(bytes)::DOUBLE AS total, max(bytes) AS maxBytes, ${withExpiry} AS withExpiry
    FROM ${facts.rows} ${facts.where.sql} GROUP BY 1, 2, 3`;
  return withGroups(source, groups, facts.where.values, (from) =>
    readShares(source, {
      from,
      values: [],
      totals: CELL_TOTALS,
      maxBytes: 'max(maxBytes)',
      withExpiry: 'sum(withExpiry)::BIGINT',
      steps: { sql: `SELECT type, size, sum(n) AS n FROM ${from} WHERE size IS NOT NULL GROUP BY 1, 2`, values: [] },
    }),
  );
}

/**
 * SQL that groups keys into cells for an overview. `size` is a step here. The filter is that of `facts`, which must be
 * facts of keys.
 */
export const keyCellsSql = ({ asOf, manifest }: RolledSource, { rows, where, big, perhapsBig }: Facts): string =>
  `SELECT db, ${manifest.nodes.length === 1 ? '0' : 'node'} AS node, type, CASE WHEN bytes IS NOT NULL THEN ${sizeStepSql} END AS size,
     CASE WHEN NOT expiry_known THEN ${TTL_UNKNOWN} WHEN expire_at IS NULL THEN ${TTL_NONE}
       WHEN expire_at <= ${asOf} THEN ${TTL_EXPIRED} ELSE ${TTL_AHEAD} END AS ttl,
     CASE WHEN ${big} THEN ${BIG} WHEN ${perhapsBig} THEN ${PERHAPS_BIG} ELSE 0 END AS big,
     count(*) AS n, count(bytes) AS sized, sum(bytes)::DOUBLE AS total, max(bytes) AS maxBytes
   FROM ${rows} ${where.sql} GROUP BY 1, 2, 3, 4, 5, 6`;

/** Sizes by type from the cells that `keyCellsSql` has made. */
export const buildCellSteps = (rows: string): StepsQuery => ({
  sql: `SELECT type, size, sum(n) AS n FROM ${rows} WHERE size IS NOT NULL GROUP BY 1, 2`,
  values: [],
});

/** Sizes by type, from the roll-up, or from the keys if it cannot answer. */
export function buildSizeSteps(source: RolledSource, query: ReportQuery): StepsQuery {
  const scope = findRollupScope(source.rollup, 'sizes', query);
  const { rows, where } = scope ?? buildKeyFacts(source, query);
  if (scope === null) where.and('bytes IS NOT NULL');
  const [step, n] = scope === null ? [sizeStepSql, 'count(*)'] : ['step', 'sum(n)'];
  return {
    sql: `SELECT type, ${step} AS size, ${n} AS n FROM ${rows} ${where.sql} GROUP BY 1, 2`,
    values: where.values,
  };
}

/** A SELECT of type · size (a step) → n. */
interface StepsQuery {
  sql: string;
  values: readonly SqlValue[];
}

interface SharesQuery {
  /** SQL to put after FROM. */
  from: string;
  values: readonly SqlValue[];
  /** Aggregates. */
  totals: string;
  maxBytes: string;
  withExpiry: string;
  steps: StepsQuery;
  /** True: steps come from the roll-up and are read at the same time as the rest. */
  areStepsRolled?: boolean;
}

/** A type and its sums. */
export interface TypeSums extends TotalsRow {
  type: string | null;
  maxBytes: number | null;
  withExpiry: number;
}

interface Share extends TypeSums {
  encoding: string | null;
  ofEncoding: boolean;
}

async function readShares(source: RolledSource, shares: SharesQuery): Promise<TypesReport> {
  const { from, values, totals, maxBytes, withExpiry, steps, areStepsRolled = false } = shares;
  // Count types and the encodings of each in one statement, because most of its cost is planning.
  const counting = source.query<Share>(
    `SELECT type, encoding, grouping(encoding) = 0 AS ofEncoding, ${totals}, ${maxBytes} AS maxBytes, ${withExpiry} AS withExpiry
     FROM ${from} GROUP BY GROUPING SETS ((type), (type, encoding)) ORDER BY keys DESC, type, encoding`,
    values,
  );
  const [counted, percentiles] = areStepsRolled
    ? await waitForBoth(counting, readPercentiles(source.queryInParallel, steps))
    : [await counting, await readPercentiles(source.query, steps)];
  const ofTypes = counted.filter(({ ofEncoding }) => !ofEncoding);
  return {
    types: withPercentiles(ofTypes, percentiles),
    encodings: counted
      .filter(({ ofEncoding }) => ofEncoding)
      .map((row) => ({ type: row.type, encoding: row.encoding, ...addAverage(row) })),
  };
}

interface Percentiles extends Row {
  type: string | null;
  p50: number;
  p99: number;
}

export const readPercentiles = (ask: RolledSource['query'], steps: StepsQuery): Promise<Percentiles[]> =>
  ask<Percentiles>(
    `WITH steps AS (${steps.sql}),
     running AS (SELECT *, sum(n) OVER (PARTITION BY type ORDER BY size) AS upto, sum(n) OVER (PARTITION BY type) AS sized FROM steps)
     SELECT type, min(size) FILTER (upto >= ceil(sized * 0.5)) AS p50, min(size) FILTER (upto >= ceil(sized * 0.99)) AS p99
     FROM running GROUP BY type`,
    steps.values,
  );

/** Adds percentiles to types, in the order of `types`. */
export const withPercentiles = (
  types: readonly TypeSums[],
  percentiles: readonly Percentiles[],
): TypesReport['types'] =>
  types.map((row) => {
    const found = percentiles.find(({ type }) => type === row.type);
    return {
      type: row.type,
      ...addAverage(row),
      p50Bytes: found?.p50 ?? null,
      p99Bytes: found?.p99 ?? null,
      maxBytes: row.maxBytes,
      withExpiry: row.withExpiry,
    };
  });

const addAverage = (row: TotalsRow) => ({
  ...toTotals(row),
  avgBytes: computeAverage(row),
});
