/**
 * The columns that every query uses, whether the scan still runs (parts) or has ended (sealed files). NULL means
 * "unknown", except that in `expire_at` NULL means "no expiry" if `expiry_known`.
 *   name text · raw blob, only where name is not its exact bytes · sha256, only for names too long to keep ·
 *   name_bytes · node · db · type · encoding · expire_at ms · expiry_known · bytes · length · idle_seconds · freq ·
 *   slot · tag · template (the name with every id folded: lib/model/names/fold-segment.ts) · hyperloglog (false: the
 *   header of a string shows that it is none; it is in no file, the manifest lists these names)
 */

import { HYPERLOGLOG_BYTES } from '@/lib/model/keys/recognised-values';
import { MAX_EXPIRE_AT } from '@/lib/model/snapshots/facts-page';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { literalTemplateSql } from '@/lib/snapshots/name-sql/template-sql';
import { quote, quoteFiles } from './duckdb';
import { hashTagSql } from './hash-tag';

/** The delimiter between the segments that the column `template` folds. */
export const TEMPLATE_DELIMITER = ':';
export const TEMPLATE_COLUMN = `${literalTemplateSql(TEMPLATE_DELIMITER)} AS template`;

/**
 * The value is bounded before the cast, because one number that the column cannot hold would make the whole snapshot
 * unreadable.
 */
const countSql = (column: string) =>
  `CASE WHEN ${column} >= 0 THEN least(${column}, ${Number.MAX_SAFE_INTEGER})::BIGINT END AS ${column}`;

/** Selects the query columns from a part, without `template`. */
const PART_COLUMNS = `name,
  CASE WHEN octet_length(raw) > 0 THEN raw END AS raw,
  nullif(sha256, '') AS sha256,
  CASE WHEN long_bytes >= 0 THEN long_bytes WHEN octet_length(raw) > 0 THEN octet_length(raw) ELSE strlen(name) END::UINTEGER AS name_bytes,
  node::USMALLINT AS node, db::USMALLINT AS db,
  nullif(type, '') AS type, nullif(encoding, '') AS encoding,
  CASE WHEN expire_at >= 0 THEN least(expire_at, ${MAX_EXPIRE_AT})::BIGINT END AS expire_at,
  expire_at <> -1 AS expiry_known,
  ${countSql('bytes')},
  ${countSql('length')},
  CASE WHEN idle_seconds >= 0 THEN idle_seconds::UINTEGER END AS idle_seconds,
  CASE WHEN freq >= 0 THEN least(freq, 255)::UTINYINT END AS freq,
  slot::USMALLINT AS slot,
  ${hashTagSql('name')} AS tag`;

/** Selects all query columns from a part. */
export const PART_SELECT = `${PART_COLUMNS},
  ${TEMPLATE_COLUMN}`;

/**
 * The columns of a part without rows, for a scan whose first part is not complete yet. An empty file is no alternative,
 * because reading must never write into the folder of a running scan.
 */
export const NO_ROWS = `(SELECT ''::VARCHAR AS name, ''::BLOB AS raw, 0::INTEGER AS long_bytes, ''::VARCHAR AS sha256, ''::VARCHAR AS type,
  ''::VARCHAR AS encoding, 0::DOUBLE AS expire_at, 0::DOUBLE AS bytes, 0::DOUBLE AS length, 0::INTEGER AS idle_seconds,
  0::INTEGER AS freq, 0::INTEGER AS slot, 0::INTEGER AS node, 0::INTEGER AS db WHERE false)`;

/** While a scan runs, no headers of strings are known. */
const NO_HEADERS = 'NULL::BOOLEAN AS hyperloglog';

/** Returns a SELECT over the parts. `columns` may leave out `template` for statements that do not name it. */
export function partsSql(dir: string, parts: readonly string[], columns = PART_SELECT): string {
  const rows = parts.length > 0 ? `read_parquet([${quoteFiles(dir, parts)}])` : NO_ROWS;
  return `SELECT ${columns}, ${NO_HEADERS} FROM ${rows}`;
}

/** Matches a star that expands the columns of the keys (NUL stands for the keys here), or all columns of one source. */
const STAR = /(?:SELECT|DISTINCT|,)\s+\*(?:(?!\bSELECT\b|\bFROM\b).)*\bFROM\b(?:(?!\bSELECT\b).)*?\0|\w\.\*/is;

/**
 * Removes `template` from the keys in `sql` if `sql` does not use that column. DuckDB takes some 15 ms per statement to
 * bind the expression that folds ids, even if nothing reads it. `keys` is the sub-select as it is written in `sql`.
 */
export function dropUnusedTemplates(sql: string, keys: string): string {
  const shortened = sql.replaceAll(keys, '\u0000');
  // The replacements are functions, because the text that is inserted may contain `$`.
  return sql.includes('\u0000') || /\btemplate\b/i.test(shortened) || STAR.test(shortened)
    ? sql
    : shortened.replaceAll('\u0000', () => keys.replace(PART_SELECT, () => PART_COLUMNS));
}

/** The fields of a manifest that are needed to read its files. */
type SealedFiles = Pick<SnapshotManifest, 'notHyperloglogs'> & { files: readonly string[] };

/**
 * SQL for the column `hyperloglog`. The list of strings that are none has few names, and only keys of the length of a
 * HyperLogLog are looked up in it.
 */
function headersSql(notHyperloglogs: SealedFiles['notHyperloglogs'] = []): string {
  if (notHyperloglogs.length === 0) return NO_HEADERS;
  const listed = notHyperloglogs.map(({ db, name }) => quote(`${db} ${name}`)).join(', ');
  return `CASE WHEN length = ${HYPERLOGLOG_BYTES} THEN CASE WHEN concat(db, ' ', name) IN (${listed}) THEN false END END AS hyperloglog`;
}

/**
 * Returns a SELECT over sealed files in their order. Together the files are one list sorted by name, so a query without
 * an ORDER BY returns rows in the order of names.
 */
export function sealedSql(dir: string, { files, notHyperloglogs }: SealedFiles): string {
  return `SELECT *, ${headersSql(notHyperloglogs)} FROM read_parquet([${quoteFiles(dir, files)}])`;
}

/** The low bits of a place hold the row number; the bits above hold the number of the file. */
export const PLACE_ROW_BITS = 32;
const PLACES = 2 ** PLACE_ROW_BITS;

/**
 * Like `sealedSql` for some of the files, with a column `place` that identifies each row and sorts like names. Wide
 * columns can then be read only for the few rows that are shown (`atPlaceSql`).
 */
export function placedSql(dir: string, manifest: SealedFiles, some: readonly string[]): string {
  const numbers = some.map((file) => manifest.files.indexOf(file));
  // Most often the files are consecutive, and an addition is enough. Looking up a number for each row costs as much as
  // reading the columns.
  const areNeighbours = numbers.every((number, i) => number === numbers[0]! + i);
  const number = areNeighbours
    ? `(file_index + ${numbers[0] ?? 0})`
    : `([${numbers.join(', ')}])[(file_index + 1)::BIGINT]`;
  const place = `${number}::BIGINT * ${PLACES} + file_row_number AS place`;
  return `SELECT * EXCLUDE (file_row_number), ${headersSql(manifest.notHyperloglogs)}, ${place} FROM read_parquet([${quoteFiles(dir, some)}], file_row_number = true)`;
}

/** Returns a SELECT of `columns` for the row at a place. */
export function atPlaceSql(dir: string, { files }: Pick<SealedFiles, 'files'>, place: number, columns: string): string {
  const file = files[Math.floor(place / PLACES)]!;
  return `SELECT ${place}::DOUBLE AS place, ${columns} FROM read_parquet([${quoteFiles(dir, [file])}], file_row_number = true) WHERE file_row_number = ${place % PLACES}`;
}

/**
 * Returns the rows of a sub-select whose names begin with `prefix`, in their order. The prefix is written as hex
 * digits, so that the SQL text contains nothing that a user wrote.
 */
export function belowSql(rows: string, prefix: string): string {
  const text = `decode(from_hex('${Buffer.from(prefix).toString('hex')}'))`;
  return `SELECT * FROM (${rows}) WHERE name >= ${text} AND starts_with(name, ${text})`;
}
