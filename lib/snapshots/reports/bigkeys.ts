import { AppError } from '@/lib/model/errors';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { BigkeyRow, BigkeysReport } from '@/lib/model/reports/reports';
import { estimateDeleteMs } from '@/lib/snapshots/key-query/delete-cost';
import { buildFilterWhere } from '@/lib/snapshots/key-query/filter-where';
import { type KeyColumns, keyColumns, toKeyRow } from '@/lib/snapshots/key-query/key-row';
import { buildCursor, limitToRowsAfter, type Order, orderBySql, parseOrder } from '@/lib/snapshots/key-query/keyset';
import type { RuledSource } from '@/lib/snapshots/key-query/rule-filter';
import { type TotalsRow, toTotals } from '@/lib/snapshots/key-query/totals-sql';
import { Where } from '@/lib/snapshots/key-query/where-clause';
import { overBytesSql, overElementsSql } from '@/lib/snapshots/query/bigkey-sql';
import type { Source } from '@/lib/snapshots/query/with-source';
import { findBigkeyHazards, hazardCountSql } from './bigkey-hazards';
import { buildFacts, type RolledSource } from './facts';

const DEFAULT_LIMIT = 100;
/** Orders by a number that is computed for each bigkey: its hazards, or its violated rules, as the list shows them. */
const COUNTED = { hazards: { column: 'counted', cast: 'BIGINT' }, rules: { column: 'counted', cast: 'BIGINT' } };

type Columns = KeyColumns & { over_bytes: boolean; over_elements: boolean; sort_value: string | number | null };
type AskedSource = RuledSource & RolledSource;

/** The report on bigkeys lists keys above the thresholds, with their hazards besides size. */
export async function buildBigkeysReport(source: AskedSource, query: ReportQuery): Promise<BigkeysReport> {
  const order = parseOrder(query.sort, '-bytes', COUNTED);
  const limit = query.limit ?? DEFAULT_LIMIT;
  const bigkeyQuery = { ...query, big: true };
  const where = buildFilterWhere(bigkeyQuery, source, query.delimiter);
  const { from, page } = selectOrderedRows(source, order, where);
  if (query.cursor) limitToRowsAfter(page, order, query.cursor);
  const isNone = source.known?.big === false;
  // Count every type, whichever is listed: the choice between types shows how many keys each has.
  const byType = isNone ? [] : await countBigkeysByType(source, { ...bigkeyQuery, type: undefined });
  const rows = isNone
    ? []
    : await source.query<Columns>(
        `SELECT ${keyColumns}, ${overBytesSql(source.bigkeys)} AS over_bytes, ${overElementsSql(source.bigkeys)} AS over_elements, ${order.column} AS sort_value
         FROM ${from} ${page.sql} ORDER BY ${orderBySql(order)} LIMIT ${limit + 1}`,
        page.values,
      );
  const possible = await countPossibleBigkeys(source, { ...query, big: undefined });
  const listed = byType.filter((row) => !query.type?.length || query.type.includes(row.type ?? 'unknown'));
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    rows: shown.map((row) => toRow(row, source)),
    total: listed.reduce((n, row) => n + row.keys, 0),
    totalBytes: listed.reduce((n, row) => n + row.bytes, 0),
    byType: byType.map((row) => ({ type: row.type, ...toTotals(row) })),
    thresholds: source.bigkeys,
    unknown: possible.perhaps,
    recognised: possible.recognised,
    nextCursor: last ? buildCursor(order, last, last.sort_value) : null,
  };
}

function countBigkeysByType(source: AskedSource, query: ReportQuery): Promise<(TotalsRow & { type: string | null })[]> {
  const { rows, where, totals } = buildFacts(source, query);
  return source.query(
    `SELECT type, ${totals} FROM ${rows} ${where.sql} GROUP BY type ORDER BY bytes DESC, type`,
    where.values,
  );
}

async function countPossibleBigkeys(
  source: AskedSource,
  query: ReportQuery,
): Promise<{ perhaps: number; recognised: number }> {
  if (source.known && !source.known.perhaps && !source.known.recognised) return { perhaps: 0, recognised: 0 };
  const { keys, perhapsBig, recognised, rows, where } = buildFacts(source, query);
  const [row] = await source.query<{ perhaps: number; recognised: number }>(
    `SELECT ${keys(perhapsBig)} AS perhaps, ${keys(recognised)} AS recognised FROM ${rows} ${where.sql}`,
    where.values,
  );
  return row!;
}

/**
 * Returns the rows that the page is taken from. A counted order is computed once per bigkey, before the rows after the
 * cursor are selected.
 */
function selectOrderedRows(source: AskedSource, order: Order, where: Where): { from: string; page: Where } {
  if (order.column !== 'counted') return { from: source.keys, page: where };
  const counted = order.sort.endsWith('rules') ? rulesSql(source, where) : hazardsSql(source, where);
  return { from: `(SELECT *, ${counted} AS counted FROM ${source.keys} ${where.sql})`, page: new Where(where.values) };
}

function rulesSql({ ruleOrder }: AskedSource, where: Where): string {
  if (!ruleOrder) throw new AppError('bad_request', 'An order by rules needs the policy of an instance.');
  return ruleOrder.violated(where);
}

/** Being far above its threshold is a hazard too, which only the policy can decide. */
const hazardsSql = (source: AskedSource, where: Where): string =>
  [hazardCountSql(source), ...(source.ruleOrder ? [source.ruleOrder.farAbove(where)] : [])].join(' + ');

function toRow(row: Columns, source: Source): BigkeyRow {
  const over: BigkeyRow['over'] = [];
  if (row.over_bytes) over.push('bytes');
  if (row.over_elements) over.push('elements');
  const delBlocksMs = estimateDeleteMs(row);
  return { ...toKeyRow(row), over, hazards: findBigkeyHazards(row, delBlocksMs, source), delBlocksMs };
}
