import type { ReportQuery } from '@/lib/model/reports/query';
import type { PatternsReport } from '@/lib/model/reports/reports';
import { selectFilteredKeys } from '@/lib/snapshots/key-query/keys-where';
import { parseSort } from '@/lib/snapshots/key-query/parse-sort';
import { keyTemplateSql } from '@/lib/snapshots/key-query/template-sql';
import { computeAverage, type TotalsRow, toTotals, totalsSql } from '@/lib/snapshots/key-query/totals-sql';
import { waitForBoth } from '@/lib/snapshots/query/wait-for-both';
import { momentPartsSql, momentSql } from '@/lib/snapshots/rollup/classes';
import { toTemplate } from '@/lib/snapshots/rollup/open-rollup';
import { findRollupScope } from '@/lib/snapshots/rollup/scope';
import { CUT } from '@/lib/snapshots/rollup/settle-paths';
import { buildCellFacts, CELL_TOTALS, labelledSql, listedSql, type RolledSource } from './facts';
import { listTemplatesOnPath } from './grouping/by-template';
import { computeMedianSeconds, computeSecondsLeft, type MedianRow, mediansSql, momentsSql } from './grouping/medians';
import { groupTypesByLabel, type TypeCount } from './grouping/types-by-label';
import { withGroups } from './grouping/with-groups';
import { buildNextCursor, parseOffset } from './offset-cursor';

const DEFAULT_LIMIT = 100;
const SORTS = {
  keys: 'keys',
  bytes: 'bytes',
  name: 'label',
  avg: 'bytes / nullif(keys - bytesUnknown, 0)',
  noexpiry: 'noExpiry',
};
const DEFAULT_SORT = '-keys';

/** SQL for the columns of a Row, except `label` and `templates`. */
const ROW = `${totalsSql}, count(*) FILTER (expire_at IS NULL AND expiry_known) AS noExpiry, min(expire_at) AS minExpire,
  max(expire_at) AS maxExpire, min(name) AS example`;
type Row = TotalsRow & {
  label: string;
  noExpiry: number;
  minExpire: number | null;
  maxExpire: number | null;
  example: string;
  templates: number;
};

function orderSql({ sort, limit, cursor }: ReportQuery): string {
  const parsed = parseSort(sort?.toLowerCase(), SORTS, DEFAULT_SORT);
  const column = SORTS[parsed.replace('-', '') as keyof typeof SORTS];
  return `${column} ${parsed.startsWith('-') ? 'DESC' : 'ASC'} NULLS LAST, keys DESC, label LIMIT ${limit ?? DEFAULT_LIMIT} OFFSET ${parseOffset(cursor)}`;
}

/** The report on key templates: names with every id folded. More than one type under one template is suspicious. */
export async function buildPatternsReport(source: RolledSource, query: ReportQuery): Promise<PatternsReport> {
  const found =
    (await findInRollup(source, query)) ?? (await findFewPatterns(source, query)) ?? (await findInKeys(source, query));
  const types = groupTypesByLabel(found.types);
  const medians = new Map(found.medians.map((row) => [row.label, row]));
  const templateCount = found.rows[0]?.templates ?? 0;
  const toSeconds = (at: number | null) => (at === null ? null : computeSecondsLeft(at, source.asOf));
  return {
    patterns: found.rows.map((row) => ({
      ...toTotals(row),
      template: row.label,
      types: types.get(row.label) ?? {},
      noExpiry: row.noExpiry,
      minTtlSeconds: toSeconds(row.minExpire),
      p50TtlSeconds: computeMedianSeconds(medians.get(row.label), row, source.asOf),
      maxTtlSeconds: toSeconds(row.maxExpire),
      avgBytes: computeAverage(row),
      example: row.example,
    })),
    templateCount,
    nextCursor: buildNextCursor(parseOffset(query.cursor), found.rows.length, templateCount),
  };
}

interface Found {
  rows: Row[];
  types: TypeCount[];
  medians: MedianRow[];
}

/** Returns null if the roll-up cannot answer: below a wide level it keeps no templates. */
async function findInRollup(source: RolledSource, query: ReportQuery): Promise<Found | null> {
  const scope = findRollupScope(source.rollup, 'cells', query);
  const moments = findRollupScope(source.rollup, 'moments', query);
  if (scope === null || moments === null) return null;
  if (scope.paths.length === 0) return { rows: [], types: [], medians: [] };
  const paths = scope.paths.map((number) => source.rollup!.paths[number]!);
  if (paths.some(({ segments }) => segments.includes(CUT))) return null;
  const getLabel = (number: number) => toTemplate(source.rollup!.paths[number]!);
  const facts = buildCellFacts(scope);
  const cells = labelledSql(scope, getLabel);
  const { values } = scope.where;
  const listing = source.query<Row>(
    `SELECT *, count(*) OVER () AS templates FROM (
       SELECT label, ${CELL_TOTALS}, ${facts.keys(facts.none)} AS noExpiry, ${facts.minExpire} AS minExpire,
         ${facts.maxExpire} AS maxExpire, ${facts.example} AS example FROM ${cells} GROUP BY label)
     ORDER BY ${orderSql(query)}`,
    values,
  );
  const steps = labelledSql(moments, getLabel);
  const [rows, [types, medians]] = await waitForBoth(
    listing,
    waitForBoth(
      source.queryInParallel<TypeCount>(
        `SELECT label, type, sum(n)::BIGINT AS keys FROM ${cells} GROUP BY 1, 2`,
        values,
      ),
      source.queryInParallel<MedianRow>(mediansSql(steps), moments.where.values),
    ),
  );
  return { rows, types, medians };
}

/** Computes everything in one pass over the keys if there are few templates. null: there are many. */
async function findFewPatterns(source: RolledSource, query: ReportQuery): Promise<Found | null> {
  if (listTemplatesOnPath(source, query) === null) return null;
  const { keys, where } = selectFilteredKeys(source, query);
  const groups = `SELECT * EXCLUDE (moment), ${momentPartsSql(source.asOf)} FROM (
      SELECT label, type, moment, ${ROW} FROM (SELECT *, template AS label, ${momentSql(source.asOf)} AS moment FROM ${keys} ${where.sql})
      GROUP BY 1, 2, 3)`;
  return withGroups(source, groups, where.values, async (from) => ({
    rows: await source.query<Row>(
      `SELECT *, count(*) OVER () AS templates FROM (
         SELECT label, sum(keys)::BIGINT AS keys, sum(bytes) AS bytes, sum(bytesUnknown)::BIGINT AS bytesUnknown,
           sum(noExpiry)::BIGINT AS noExpiry, min(minExpire) AS minExpire, max(maxExpire) AS maxExpire, min(example) AS example
         FROM ${from} GROUP BY 1)
       ORDER BY ${orderSql(query)}`,
    ),
    types: await source.query<TypeCount>(`SELECT label, type, sum(keys)::BIGINT AS keys FROM ${from} GROUP BY 1, 2`),
    medians: await source.query<MedianRow>(
      mediansSql(`(SELECT label, step, begins, keys AS n FROM ${from} WHERE step IS NOT NULL)`),
    ),
  }));
}

/**
 * Medians, types and examples of a million templates would not fit into memory. So templates are ordered first, and
 * details are computed only for those that are shown.
 */
async function findInKeys(source: RolledSource, query: ReportQuery): Promise<Found> {
  const { keys, where } = selectFilteredKeys(source, query);
  const template = keyTemplateSql(where, query.delimiter ?? ':');
  const base = `(SELECT ${template} AS label, name, type, bytes, expire_at, expiry_known FROM ${keys} ${where.sql})`;
  const rows = await source.query<Row>(
    `SELECT *, count(*) OVER () AS templates FROM (
       SELECT label, ${totalsSql}, count(*) FILTER (expire_at IS NULL AND expiry_known) AS noExpiry,
         min(expire_at) AS minExpire, max(expire_at) AS maxExpire, '' AS example FROM ${base} GROUP BY label)
     ORDER BY ${orderSql(query)}`,
    where.values,
  );
  if (rows.length === 0) return { rows, types: [], medians: [] };
  const shown = `(SELECT * FROM ${base} SEMI JOIN ${listedSql(where, { label: rows.map((row) => row.label) })} USING (label))`;
  const examples = await source.query<{ label: string; example: string }>(
    `SELECT label, min(name) AS example FROM ${shown} GROUP BY label`,
    where.values,
  );
  const exampleByLabel = new Map(examples.map((row) => [row.label, row.example]));
  const types = await source.query<TypeCount>(
    `SELECT label, type, count(*) AS keys FROM ${shown} GROUP BY 1, 2`,
    where.values,
  );
  return {
    rows: rows.map((row) => ({ ...row, example: exampleByLabel.get(row.label) ?? '' })),
    types,
    medians: await source.query<MedianRow>(mediansSql(momentsSql(shown, source.asOf)), where.values),
  };
}
