import path from 'node:path';
import { MAX_EXPIRE_AT } from '@/lib/model/facts-page';
import { quote } from './duckdb';
import { hashTagSql } from './hash-tag';

/**
 * The columns every question is asked of, whether the scan still runs (parts) or is over (one sealed file).
 * NULL is "unknown", except `expire_at`, whose NULL means "no expiry" where `expiry_known`.
 *   name text · raw blob, only where name is not its exact bytes · sha256, only for names too long to keep ·
 *   name_bytes · node · db · type · encoding · expire_at ms · expiry_known · bytes · length · idle_seconds · freq ·
 *   slot · tag
 */
export const SEALED_FILE = 'keys.parquet';

export const COLUMN_NAMES = [
  'name',
  'raw',
  'sha256',
  'name_bytes',
  'node',
  'db',
  'type',
  'encoding',
  'expire_at',
  'expiry_known',
  'bytes',
  'length',
  'idle_seconds',
  'freq',
  'slot',
  'tag',
] as const;

/** Bounds before each cast: one number that no column holds must not make a whole snapshot unreadable. */
const count = (column: string) =>
  `CASE WHEN ${column} >= 0 THEN least(${column}, ${Number.MAX_SAFE_INTEGER})::BIGINT END AS ${column}`;

const PART_SELECT = `name,
  CASE WHEN octet_length(raw) > 0 THEN raw END AS raw,
  nullif(sha256, '') AS sha256,
  CASE WHEN long_bytes >= 0 THEN long_bytes WHEN octet_length(raw) > 0 THEN octet_length(raw) ELSE strlen(name) END::UINTEGER AS name_bytes,
  node::USMALLINT AS node, db::USMALLINT AS db,
  nullif(type, '') AS type, nullif(encoding, '') AS encoding,
  CASE WHEN expire_at >= 0 THEN least(expire_at, ${MAX_EXPIRE_AT})::BIGINT END AS expire_at,
  expire_at <> -1 AS expiry_known,
  ${count('bytes')},
  ${count('length')},
  CASE WHEN idle_seconds >= 0 THEN idle_seconds::UINTEGER END AS idle_seconds,
  CASE WHEN freq >= 0 THEN least(freq, 255)::UTINYINT END AS freq,
  slot::USMALLINT AS slot,
  ${hashTagSql('name')} AS tag`;

/** The columns of a part without a row, for a scan whose first part is not complete yet. */
const NO_ROWS = `(SELECT ''::VARCHAR AS name, ''::BLOB AS raw, 0::INTEGER AS long_bytes, ''::VARCHAR AS sha256, ''::VARCHAR AS type,
  ''::VARCHAR AS encoding, 0::DOUBLE AS expire_at, 0::DOUBLE AS bytes, 0::DOUBLE AS length, 0::INTEGER AS idle_seconds,
  0::INTEGER AS freq, 0::INTEGER AS slot, 0::INTEGER AS node, 0::INTEGER AS db WHERE false)`;

/** What `partsSql` answers while there are no parts. Reading must never write into the folder of a running scan. */
export const NO_PARTS_SQL = `SELECT ${PART_SELECT} FROM ${NO_ROWS}`;

/**
 * A sub-select over the parts. `withOrder` adds `sequence`, `part_index` and `row_in_part`, by which the newest fact is
 * told.
 */
export function partsSql(dir: string, parts: readonly string[], withOrder = false): string {
  const files = parts.map((part) => quote(path.join(dir, part))).join(', ');
  const order = withOrder ? ', sequence, file_index AS part_index, file_row_number AS row_in_part' : '';
  const source = withOrder ? `read_parquet([${files}], file_row_number = true)` : `read_parquet([${files}])`;
  return `SELECT ${PART_SELECT}${order} FROM ${source}`;
}

/** Exact bytes and long names are rare; where no part has any, sorting need not carry their columns. */
export const RARE_SQL = (dir: string, parts: readonly string[]) =>
  `SELECT count(*) AS n FROM read_parquet([${parts.map((part) => quote(path.join(dir, part))).join(', ')}])
   WHERE octet_length(raw) > 0 OR long_bytes >= 0`;

/**
 * The parts in order, as `partsSql`. Sorted are the narrow columns as they lie in the parts; what follows from them is
 * added after.
 */
export function sortedPartsSql(dir: string, parts: readonly string[], rare: boolean): string {
  const files = parts.map((part) => quote(path.join(dir, part))).join(', ');
  const narrow = 'name, type, encoding, expire_at, bytes, length, idle_seconds, freq, slot, node, db';
  // In a part the empty value stands for none, and sorts first as NULLS FIRST does in the sealed order.
  const order = rare ? 'name, db, raw, sha256' : 'name, db';
  const source = `SELECT ${rare ? `${narrow}, raw, long_bytes, sha256` : narrow} FROM read_parquet([${files}]) ORDER BY ${order}`;
  const all = rare ? '*' : "*, ''::BLOB AS raw, -1 AS long_bytes, '' AS sha256";
  return `SELECT ${PART_SELECT} FROM (SELECT ${all} FROM (${source}))`;
}

/** Files sealed before expiries were bounded hold larger ones. */
export function sealedSql(dir: string): string {
  return `SELECT * REPLACE (CASE WHEN expire_at > ${MAX_EXPIRE_AT} THEN ${MAX_EXPIRE_AT} ELSE expire_at END AS expire_at) FROM read_parquet(${quote(path.join(dir, SEALED_FILE))})`;
}
