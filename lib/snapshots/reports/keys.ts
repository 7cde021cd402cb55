import type { ReportQuery } from '@/lib/model/reports/query';
import type { KeysReport } from '@/lib/model/reports/reports';
import { filtersByRules } from '@/lib/snapshots/key-query/filter-where';
import { type KeyColumns, keyColumns, toKeyRow } from '@/lib/snapshots/key-query/key-row';
import { selectFilteredKeys } from '@/lib/snapshots/key-query/keys-where';
import {
  buildCursor,
  limitToRowsAfter,
  orderBySql,
  parseOrder,
  readCursorName,
} from '@/lib/snapshots/key-query/keyset';
import type { RuledSource } from '@/lib/snapshots/key-query/rule-filter';
import type { TotalsRow } from '@/lib/snapshots/key-query/totals-sql';
import type { Decision } from '@/lib/snapshots/rollup/scope';
import { CELL_TOTALS, type RolledSource, selectCells } from './cells';

const DEFAULT_LIMIT = 100;

/** The list of keys under any filter, sorted, page by page. */
export async function buildKeysReport(
  source: RuledSource & RolledSource,
  decision: Decision,
  query: ReportQuery,
): Promise<KeysReport> {
  const order = parseOrder(query.sort, 'name');
  const limit = query.limit ?? DEFAULT_LIMIT;
  const { keys: filtered, where: page } = selectFilteredKeys(source, query, { inOrder: true });
  if (query.cursor) limitToRowsAfter(page, order, query.cursor);
  // Sealed files are sorted by name, so their first matching rows are the page.
  const inOrder = !source.live && order.sort === 'name';
  const namePage = inOrder ? { after: query.cursor ? readCursorName(query.cursor, order) : '', rows: limit + 1 } : null;
  const from =
    source.ruleFilter && filtersByRules(query) ? await source.ruleFilter.narrowKeys(source, query, namePage) : filtered;
  const rows = await source.query<KeyColumns & { sort_value: string | number | null }>(
    `SELECT ${keyColumns}, ${order.column} AS sort_value FROM ${from} ${page.sql}
     ${inOrder ? '' : `ORDER BY ${orderBySql(order)}`} LIMIT ${limit + 1}`,
    page.values,
  );
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    rows: shown.map(toKeyRow),
    ...(await countTotal(source, decision, query)),
    sort: order.sort,
    nextCursor: last ? buildCursor(order, last, last.sort_value) : null,
  };
}

/** Totals of all pages together. */
async function countTotal(
  source: RuledSource & RolledSource,
  decision: Decision,
  query: ReportQuery,
): Promise<{ total: number; totalBytes: number }> {
  const counted = source.ruleFilter && filtersByRules(query) ? await source.ruleFilter.totals(source, query) : null;
  if (counted) return { total: counted.keys, totalBytes: counted.bytes };
  const { from, values } = selectCells(source, decision);
  const [row] = await source.query<TotalsRow>(`SELECT ${CELL_TOTALS} FROM ${from}`, values);
  return { total: row!.keys, totalBytes: row!.bytes };
}
