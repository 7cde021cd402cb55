import type { ReportQuery } from '@/lib/model/reports/query';
import type { KeysReport } from '@/lib/model/reports/reports';
import type { Source } from '@/lib/snapshots/with-source';
import { type KeyColumns, keyColumns, keyRow } from './key-row';
import { andAfter, cursorAfter, orderBySql, orderOf } from './keyset';
import { type TotalsRow, totalsSql } from './totals-sql';
import { whereOf } from './where';

const DEFAULT_LIMIT = 100;

/** The list itself under any filter: sorted, by pages. */
export async function keys(source: Source, query: ReportQuery): Promise<KeysReport> {
  const order = orderOf(query.sort, 'name');
  const limit = query.limit ?? DEFAULT_LIMIT;
  const filter = whereOf(query, source.asOf, query.delimiter);
  const page = whereOf(query, source.asOf, query.delimiter);
  if (query.cursor) andAfter(page, order, query.cursor);
  const [totals] = await source.query<TotalsRow>(
    `SELECT ${totalsSql} FROM ${source.keys} ${filter.sql}`,
    filter.values,
  );
  const rows = await source.query<KeyColumns & { sort_value: string | number | null }>(
    `SELECT ${keyColumns}, ${order.column} AS sort_value FROM ${source.keys} ${page.sql}
     ORDER BY ${orderBySql(order)} LIMIT ${limit + 1}`,
    page.values,
  );
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    rows: shown.map(keyRow),
    total: totals!.keys,
    totalBytes: totals!.bytes,
    sort: order.sort,
    nextCursor: last ? cursorAfter(order, last, last.sort_value) : null,
  };
}
