import type { ReportQuery } from '@/lib/model/reports/query';
import type { PatternsReport } from '@/lib/model/reports/reports';
import { parseSort } from '@/lib/snapshots/key-query/parse-sort';
import { keyTemplateSql } from '@/lib/snapshots/key-query/template-sql';
import { computeAverage, type TotalsRow, toTotals } from '@/lib/snapshots/key-query/totals-sql';
import { Where } from '@/lib/snapshots/key-query/where-clause';
import { TEMPLATE_DELIMITER } from '@/lib/snapshots/query/columns';
import { toTemplate } from '@/lib/snapshots/rollup/open-rollup';
import type { Decision, Scope } from '@/lib/snapshots/rollup/scope';
import {
  CELL_TOTALS,
  countSql,
  HAS_NO_EXPIRY,
  listedSql,
  type RolledSource,
  type Rows,
  selectKeyCells,
  selectLabelledSums,
  withKeySteps,
} from './cells';
import { computeMedianSeconds, computeSecondsLeft, type MedianRow, mediansSql } from './grouping/medians';
import { groupTypesByLabel, type TypeCount } from './grouping/types-by-label';
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
export async function buildPatternsReport(
  source: RolledSource,
  decision: Decision,
  query: ReportQuery,
): Promise<PatternsReport> {
  const found = await (decision.kind === 'sums'
    ? findInSums(source, decision.scope, query)
    : findInKeys(source, query));
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

async function findInSums(source: RolledSource, scope: Scope, query: ReportQuery): Promise<Found> {
  const getLabel = (number: number) => toTemplate(scope.rollup.paths[number]!);
  const cells = selectLabelledSums(scope, 'cells', getLabel);
  const rows = await listTemplates(source, cells, query, 'min(first)');
  return { rows, ...(await findDetails(source, cells, selectLabelledSums(scope, 'moments', getLabel))) };
}

/**
 * Medians, types and examples of a million templates would not fit into memory. So templates are ordered first, and
 * details are computed only for those that are shown.
 */
async function findInKeys(source: RolledSource, query: ReportQuery): Promise<Found> {
  const { delimiter = TEMPLATE_DELIMITER } = query;
  const cells = selectKeyCells(source, query, (where) => keyTemplateSql(where, delimiter));
  const rows = await listTemplates(source, cells, query, `''`);
  if (rows.length === 0) return { rows, types: [], medians: [] };
  const where = new Where([...cells.values]);
  const labels = listedSql(where, { label: rows.map(({ label }) => label) });
  const shown = { from: `(SELECT * FROM ${cells.from} SEMI JOIN ${labels} USING (label))`, values: where.values };
  const dimensions = { cells: 'label, type, min(first) AS first', steps: 'moments' as const };
  return withKeySteps(source, shown, dimensions, async (groups, moments) => {
    const examples = await source.query<{ label: string; example: string }>(
      `SELECT label, min(first) AS example FROM ${groups.from} GROUP BY label`,
    );
    const exampleByLabel = new Map(examples.map(({ label, example }) => [label, example]));
    return {
      rows: rows.map((row) => ({ ...row, example: exampleByLabel.get(row.label)! })),
      ...(await findDetails(source, groups, moments)),
    };
  });
}

/** Lists the templates of labelled cells in the order of a query. */
const listTemplates = (source: RolledSource, { from, values }: Rows, query: ReportQuery, example: string) =>
  source.query<Row>(
    `SELECT *, count(*) OVER () AS templates FROM (
       SELECT label, ${CELL_TOTALS}, ${countSql(HAS_NO_EXPIRY)} AS noExpiry, min(minExpire) AS minExpire,
         max(maxExpire) AS maxExpire, ${example} AS example FROM ${from} GROUP BY label)
     ORDER BY ${orderSql(query)}`,
    values,
  );

const findDetails = async (source: RolledSource, cells: Rows, moments: Rows): Promise<Omit<Found, 'rows'>> => ({
  types: await source.query<TypeCount>(
    `SELECT label, type, sum(n)::BIGINT AS keys FROM ${cells.from} GROUP BY 1, 2`,
    cells.values,
  ),
  medians: await source.query<MedianRow>(mediansSql(moments.from), moments.values),
});
