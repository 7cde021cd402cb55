import { parseSequence } from '@/lib/snapshots/folder/folder';
import { PART_COLUMNS } from '@/lib/snapshots/parts/part-columns';
import { NO_ROWS, PART_SELECT } from '@/lib/snapshots/query/columns';
import { quoteFiles } from '@/lib/snapshots/query/duckdb';

/** Columns that few rows have: exact bytes and long names. If no row has any, the sort does not carry them. */
const RARE = ['raw', 'long_bytes', 'sha256'];
const NO_RARE = `''::BLOB AS raw, -1 AS long_bytes, '' AS sha256`;
const NARROW = PART_COLUMNS.map(({ name }) => name).filter((name) => name !== 'sequence' && !RARE.includes(name));
/** Columns that decide which of two rows of a key is newer. */
const AGE = ['part_index', 'row_in_part'];

/** Returns a sub-select in brackets over the rows of parts, with the columns AGE. */
function partRowsSql(dir: string, parts: readonly string[]): string {
  if (parts.length === 0) return `(SELECT *, 0 AS part_index, 0 AS row_in_part FROM ${NO_ROWS})`;
  return `(SELECT ${[...NARROW, ...RARE].join(', ')},
    ([${parts.map(parseSequence)}])[(file_index + 1)::BIGINT]::UINTEGER AS part_index,
    file_row_number::UINTEGER AS row_in_part FROM read_parquet([${quoteFiles(dir, parts)}], file_row_number = true))`;
}

/** Returns SQL that counts all rows of some parts, and those whose exact bytes or long names are stored. */
export const countRowsSql = (dir: string, parts: readonly string[]): string =>
  `SELECT count(*) AS rows, count(*) FILTER (octet_length(raw) > 0 OR long_bytes >= 0) AS rare
   FROM ${partRowsSql(dir, parts)}`;

/**
 * Returns a SELECT of all keys of some parts in the order of names, each once with its newest facts. The sort puts the
 * rows of one key next to each other with the newest first, and a row that equals the row before it is skipped. `lag`
 * over the order of the input keeps one row in memory, and the database runs what follows it on one thread, so the
 * order lasts to the end. Template and tag are computed after the sort, which then carries less.
 *
 * In a part the empty value means that there is none. It sorts first, as NULLS FIRST does among the sealed rows.
 */
export function sealedRowsSql(dir: string, parts: readonly string[], hasRare: boolean): string {
  const identity = hasRare ? ['name', 'db', 'raw', 'sha256', 'long_bytes'] : ['name', 'db'];
  const columns = [...NARROW, ...(hasRare ? RARE : []), ...AGE].join(', ');
  const order = [...identity.map((column) => `${column} NULLS FIRST`), ...AGE.map((column) => `${column} DESC`)];
  const before = identity.map((column) => `lag(${column}) OVER () AS before_${column}`).join(', ');
  const differs = identity.map((column) => `before_${column} IS DISTINCT FROM ${column}`).join(' OR ');
  const sorted = `SELECT ${columns} FROM ${partRowsSql(dir, parts)} ORDER BY ${order.join(', ')}`;
  const once = `SELECT *${hasRare ? '' : `, ${NO_RARE}`} FROM (SELECT *, ${before} FROM (${sorted})) WHERE ${differs}`;
  return `SELECT ${PART_SELECT} FROM (${once})`;
}
