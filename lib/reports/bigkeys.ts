import { filterWhere } from '@/lib/key-query/filter-where';
import { type KeyColumns, keyColumns, keyRow } from '@/lib/key-query/key-row';
import { andAfter, cursorAfter, orderBySql, orderOf } from '@/lib/key-query/keyset';
import { type TotalsRow, totalsOf } from '@/lib/key-query/totals-sql';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { BigkeyRow, BigkeysReport } from '@/lib/model/reports/reports';
import { overBytesSql, overElementsSql } from '@/lib/snapshots/query/bigkey-sql';
import type { Source } from '@/lib/snapshots/query/with-source';
import { deleteBlocksMs } from './delete-cost';
import { factsOf, type RolledSource } from './facts';

/**
 * Keys above the thresholds. Hazards:
 *   expires_blocking  no string, expires by itself while lazyfree-lazy-expire is no (or unknown), and freeing it would
 *                     take ≥ 5 ms
 *   expires_soon      less than an hour left
 *   one_field_hash    a hash of one field: the value is a big string in disguise
 *   huge_string       ≥ 64 MiB: even UNLINK frees a string at once
 */
const DEFAULT_LIMIT = 100;
const BLOCKING_MS = 5;
const SOON_MS = 3_600_000;
const HUGE_STRING_BYTES = 64 * 1024 * 1024;

type Columns = KeyColumns & { over_bytes: boolean; over_elements: boolean; sort_value: string | number | null };

export async function bigkeys(source: RolledSource, query: ReportQuery): Promise<BigkeysReport> {
  const order = orderOf(query.sort, '-bytes');
  const limit = query.limit ?? DEFAULT_LIMIT;
  const only = { ...query, big: true };
  const page = filterWhere(only, source, query.delimiter);
  if (query.cursor) andAfter(page, order, query.cursor);
  // Of every type, whichever is listed: the choice between them shows how many each has.
  const facts = factsOf(source, { ...only, type: undefined });
  const byType = await source.query<TotalsRow & { type: string | null }>(
    `SELECT type, ${facts.totals} FROM ${facts.rows} ${facts.where.sql} GROUP BY type ORDER BY bytes DESC, type`,
    facts.where.values,
  );
  const rows = await source.query<Columns>(
    `SELECT ${keyColumns}, ${overBytesSql(source.bigkeys)} AS over_bytes, ${overElementsSql(source.bigkeys)} AS over_elements, ${order.column} AS sort_value
     FROM ${source.keys} ${page.sql} ORDER BY ${orderBySql(order)} LIMIT ${limit + 1}`,
    page.values,
  );
  const all = factsOf(source, { ...query, big: undefined });
  const [beside] = await source.query<{ perhaps: number; recognised: number }>(
    `SELECT ${all.keys(all.perhapsBig)} AS perhaps, ${all.keys(all.recognised)} AS recognised FROM ${all.rows} ${all.where.sql}`,
    all.where.values,
  );
  const listed = byType.filter((row) => !query.type?.length || query.type.includes(row.type ?? 'unknown'));
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    rows: shown.map((row) => toRow(row, source)),
    total: listed.reduce((n, row) => n + row.keys, 0),
    totalBytes: listed.reduce((n, row) => n + row.bytes, 0),
    byType: byType.map((row) => ({ type: row.type, ...totalsOf(row) })),
    thresholds: source.bigkeys,
    unknown: beside!.perhaps,
    recognised: beside!.recognised,
    nextCursor: last ? cursorAfter(order, last, last.sort_value) : null,
  };
}

function toRow(row: Columns, source: Source): BigkeyRow {
  const over: BigkeyRow['over'] = [];
  if (row.over_bytes) over.push('bytes');
  if (row.over_elements) over.push('elements');
  const delBlocksMs = deleteBlocksMs(row);
  const hazards: BigkeyRow['hazards'] = [];
  const expires = row.expire_at !== null;
  if (
    expires &&
    row.type !== 'string' &&
    source.manifest.lazyfreeLazyExpire !== true &&
    (delBlocksMs ?? 0) >= BLOCKING_MS
  ) {
    hazards.push('expires_blocking');
  }
  if (expires && row.expire_at! - source.asOf < SOON_MS) hazards.push('expires_soon');
  if (row.type === 'hash' && row.length === 1) hazards.push('one_field_hash');
  if (row.type === 'string' && (row.length ?? row.bytes ?? 0) >= HUGE_STRING_BYTES) hazards.push('huge_string');
  return { ...keyRow(row), over, hazards, delBlocksMs };
}
