/**
 * Pages by keyset: the cursor contains the sort value and the identity of the last row, so every page costs the same,
 * and no row is repeated or left out. Ties are broken by name, database, bytes and node. NULLs come last in both
 * directions. A cursor belongs to one sort order and is refused by another.
 */

import { AppError } from '@/lib/model/errors';
import type { SqlValue } from '@/lib/snapshots/query/duckdb';
import { deleteBlocksSql } from './delete-blocks-sql';
import { parseSort } from './parse-sort';
import type { Where } from './where-clause';

export const SORT_COLUMNS: Record<string, { column: string; cast: string }> = {
  name: { column: 'name', cast: 'VARCHAR' },
  bytes: { column: 'bytes', cast: 'BIGINT' },
  length: { column: 'length', cast: 'BIGINT' },
  ttl: { column: 'expire_at', cast: 'BIGINT' },
  idle: { column: 'idle_seconds', cast: 'BIGINT' },
  freq: { column: 'freq', cast: 'BIGINT' },
  type: { column: 'type', cast: 'VARCHAR' },
  slot: { column: 'slot', cast: 'BIGINT' },
  encoding: { column: 'encoding', cast: 'VARCHAR' },
  db: { column: 'db', cast: 'BIGINT' },
  blocks: { column: deleteBlocksSql, cast: 'BIGINT' },
};

export interface Order {
  /** The sort order as requested, for instance `-bytes`. */
  sort: string;
  column: string;
  cast: string;
  descending: boolean;
}

/** The identity of a row as one comparable tuple of texts and numbers. */
const TIE = ['name', 'db', "coalesce(hex(raw), '')", "coalesce(sha256, '')", 'node'] as const;
const TIE_CASTS = ['VARCHAR', 'INTEGER', 'VARCHAR', 'VARCHAR', 'INTEGER'] as const;

/** `more`: columns that the query has besides those of every key. Errors: `bad_request`. */
export function parseOrder(sort: string | undefined, fallback: string, more: typeof SORT_COLUMNS = {}): Order {
  const columns = { ...SORT_COLUMNS, ...more };
  const asked = parseSort(sort, columns, fallback);
  return { sort: asked, ...columns[asked.replace(/^-/, '')]!, descending: asked.startsWith('-') };
}

export function orderBySql(order: Order): string {
  const first = order.column === 'name' ? [] : [`${order.column} ${order.descending ? 'DESC' : 'ASC'} NULLS LAST`];
  const nameDirection = order.column === 'name' && order.descending ? 'DESC' : 'ASC';
  return [...first, ...TIE.map((t) => `${t} ${nameDirection}`)].join(', ');
}

interface Cursor {
  s: string;
  v: string | number | null;
  t: [string, number, string, string, number];
}

export function buildCursor(
  order: Order,
  row: { name: string; db: number; raw: Uint8Array | null; sha256: string | null; node: number },
  value: string | number | null,
): string {
  const raw = row.raw === null ? '' : Buffer.from(row.raw).toString('hex').toUpperCase();
  const cursor: Cursor = { s: order.sort, v: value, t: [row.name, row.db, raw, row.sha256 ?? '', row.node] };
  return Buffer.from(JSON.stringify(cursor)).toString('base64url');
}

function readCursor(text: string, order: Order): Cursor {
  try {
    const cursor = JSON.parse(Buffer.from(text, 'base64url').toString()) as Cursor;
    const ok =
      cursor.s === order.sort &&
      (cursor.v === null || typeof cursor.v === 'string' || Number.isSafeInteger(cursor.v)) &&
      Array.isArray(cursor.t) &&
      cursor.t.length === TIE.length &&
      cursor.t.every((v, i) => (TIE_CASTS[i] === 'INTEGER' ? Number.isSafeInteger(v) : typeof v === 'string'));
    if (ok) return cursor;
  } catch {}
  throw new AppError('bad_request', 'The cursor does not belong to this list.');
}

/** The name of the last row before a cursor's page. */
export const readCursorName = (text: string, order: Order): string => readCursor(text, order).t[0];

/** Limits a clause to the rows after the cursor. */
export function limitToRowsAfter(where: Where, order: Order, text: string): void {
  const cursor = readCursor(text, order);
  const bind = (value: SqlValue, cast: string) => `${where.bind(value)}::${cast}`;
  const operator = order.column === 'name' && order.descending ? '<' : '>';
  const tie = `(${TIE.join(', ')}) ${operator} (${cursor.t.map((v, i) => bind(v, TIE_CASTS[i]!)).join(', ')})`;
  if (order.column === 'name') {
    // The plain comparison lets the database skip row groups; the tuple decides.
    where.and(`name ${operator}= ${bind(cursor.t[0], 'VARCHAR')} AND ${tie}`);
    return;
  }
  if (cursor.v === null) {
    where.and(`${order.column} IS NULL AND ${tie}`);
    return;
  }
  const value = bind(cursor.v, order.cast);
  const beyond = order.descending ? '<' : '>';
  where.and(
    `(${order.column} ${beyond} ${value} OR ${order.column} IS NULL OR (${order.column} = ${value} AND ${tie}))`,
  );
}
