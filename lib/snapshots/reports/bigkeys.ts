import { AppError } from '@/lib/model/errors';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { BigkeyRow, BigkeysReport } from '@/lib/model/reports/reports';
import { estimateDeleteMs } from '@/lib/snapshots/key-query/delete-cost';
import { buildFilterWhere } from '@/lib/snapshots/key-query/filter-where';
import { type KeyColumns, keyColumns, toKeyRow } from '@/lib/snapshots/key-query/key-row';
import { buildCursor, limitToRowsAfter, type Order, orderBySql, parseOrder } from '@/lib/snapshots/key-query/keyset';
import type { RuledSource } from '@/lib/snapshots/key-query/rule-filter';
import { sumTotals, type TotalsRow, toTotals } from '@/lib/snapshots/key-query/totals-sql';
import { Where } from '@/lib/snapshots/key-query/where-clause';
import { overBytesSql, overElementsSql } from '@/lib/snapshots/query/bigkey-sql';
import type { Source } from '@/lib/snapshots/query/with-source';
import { BIG, PERHAPS_BIG, RECOGNISED } from '@/lib/snapshots/rollup/classes';
import type { Decision } from '@/lib/snapshots/rollup/scope';
import { findBigkeyHazards, hazardCountSql } from './bigkey-hazards';
import { CELL_TOTALS, type RolledSource, selectCells } from './cells';

const DEFAULT_LIMIT = 100;
/** Orders by a number that is computed for each bigkey: its hazards, or its violated rules, as the list shows them. */
const COUNTED = { hazards: { column: 'counted', cast: 'BIGINT' }, rules: { column: 'counted', cast: 'BIGINT' } };

type Columns = KeyColumns & { over_bytes: boolean; over_elements: boolean; sort_value: string | number | null };
type AskedSource = RuledSource & RolledSource;

/** The report on bigkeys lists keys above the thresholds, with their hazards besides size. */
export async function buildBigkeysReport(
  source: AskedSource,
  decision: Decision,
  query: ReportQuery,
): Promise<BigkeysReport> {
  const order = parseOrder(query.sort, '-bytes', COUNTED);
  const limit = query.limit ?? DEFAULT_LIMIT;
  const bigkeyQuery = { ...query, big: true };
  const where = buildFilterWhere(bigkeyQuery, source, query.delimiter);
  const { from, page } = selectOrderedRows(source, order, where);
  if (query.cursor) limitToRowsAfter(page, order, query.cursor);
  const counted = await countBigkeys(source, decision);
  const byType = counted.filter(({ big }) => big === BIG);
  const rows =
    byType.length === 0
      ? []
      : await source.query<Columns>(
          `SELECT ${keyColumns}, ${overBytesSql(source.bigkeys)} AS over_bytes, ${overElementsSql(source.bigkeys)} AS over_elements, ${order.column} AS sort_value
           FROM ${from} ${page.sql} ORDER BY ${orderBySql(order)} LIMIT ${limit + 1}`,
          page.values,
        );
  const isListed = ({ type }: Counted) => !query.type?.length || query.type.includes(type ?? 'unknown');
  const sumListed = (kind: number) => sumTotals(counted.filter((row) => row.big === kind && isListed(row)));
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    rows: shown.map((row) => toRow(row, source)),
    total: sumListed(BIG).keys,
    totalBytes: sumListed(BIG).bytes,
    byType: byType.map((row) => ({ type: row.type, ...toTotals(row) })),
    thresholds: source.bigkeys,
    unknown: sumListed(PERHAPS_BIG).keys,
    recognised: sumListed(RECOGNISED).keys,
    nextCursor: last ? buildCursor(order, last, last.sort_value) : null,
  };
}

type Counted = TotalsRow & { type: string | null; big: number };

/** Counts the keys of each type that are bigkeys, may be some, or are recognised values. */
function countBigkeys(source: AskedSource, decision: Decision): Promise<Counted[]> {
  const { from, values } = selectCells(source, decision);
  return source.query(
    `SELECT type, big, ${CELL_TOTALS} FROM ${from} WHERE big > 0 GROUP BY 1, 2 ORDER BY bytes DESC, type`,
    values,
  );
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
