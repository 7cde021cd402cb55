/**
 * Pages by keyset: the cursor contains the sort value and the identity of the last row, so every page costs the same,
 * and no row is repeated or left out. Ties are broken by name, database, bytes and node. NULLs come last in both
 * directions. A cursor belongs to one sort order and is refused by another.
 */

import { AppError } from '@/lib/model/errors';
import type { SqlValue } from '@/lib/snapshots/query/duckdb';
import { deleteBlocksSql } from './delete-cost';
import { parseSort } from './parse-sort';
import type { Where } from './where-clause';

const SORT_COLUMNS: Record<string, { column: string; cast: string }> = {
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
const IDENTITY = ['name', 'db', "coalesce(hex(raw), '')", "coalesce(sha256, '')", 'node'] as const;
const IDENTITY_CASTS = ['VARCHAR', 'INTEGER', 'VARCHAR', 'VARCHAR', 'INTEGER'] as const;

/** `more`: columns that the query can sort by besides those of every key. Errors: `bad_request`. */
export function parseOrder(sort: string | undefined, fallback: string, more: typeof SORT_COLUMNS = {}): Order {
  const columns = { ...SORT_COLUMNS, ...more };
  const parsed = parseSort(sort, columns, fallback);
  return { sort: parsed, ...columns[parsed.replace(/^-/, '')]!, descending: parsed.startsWith('-') };
}

export function orderBySql(order: Order): string {
  const first = order.column === 'name' ? [] : [`${order.column} ${order.descending ? 'DESC' : 'ASC'} NULLS LAST`];
  const nameDirection = order.column === 'name' && order.descending ? 'DESC' : 'ASC';
  return [...first, ...IDENTITY.map((column) => `${column} ${nameDirection}`)].join(', ');
}

/** The fields have short names, because a cursor is part of an address. */
interface Cursor {
  /** The sort order. */
  s: string;
  /** The sort value of the last row. */
  v: string | number | null;
  /** The IDENTITY of the last row. */
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
    const isValid =
      cursor.s === order.sort &&
      (cursor.v === null || typeof cursor.v === 'string' || Number.isSafeInteger(cursor.v)) &&
      Array.isArray(cursor.t) &&
      cursor.t.length === IDENTITY.length &&
      cursor.t.every((v, i) => (IDENTITY_CASTS[i] === 'INTEGER' ? Number.isSafeInteger(v) : typeof v === 'string'));
    if (isValid) return cursor;
  } catch {}
  throw new AppError('bad_request', 'The cursor does not belong to this list.');
}

/** Returns the name of the last row before a cursor's page. */
export const readCursorName = (text: string, order: Order): string => readCursor(text, order).t[0];

/** Limits a clause to the rows after the cursor. */
export function limitToRowsAfter(where: Where, order: Order, text: string): void {
  const cursor = readCursor(text, order);
  const bind = (value: SqlValue, cast: string) => `${where.bind(value)}::${cast}`;
  const operator = order.column === 'name' && order.descending ? '<' : '>';
  const bound = cursor.t.map((value, i) => bind(value, IDENTITY_CASTS[i]!));
  const tie = `(${IDENTITY.join(', ')}) ${operator} (${bound.join(', ')})`;
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
