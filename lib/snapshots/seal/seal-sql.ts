import path from 'node:path';
import { sequenceOf } from '@/lib/snapshots/folder/folder';
import { PART_COLUMNS } from '@/lib/snapshots/parts/part-columns';
import { NO_ROWS, PART_SELECT, SEALED_COLUMNS } from '@/lib/snapshots/query/columns';
import { quote, type Row } from '@/lib/snapshots/query/duckdb';

/**
 * The questions of sealing. A part's columns are narrow and its rows lie as they were read; a run has the columns of
 * the sealed files by name, so that what a name tells (its template, its hash tag) is computed before its range is
 * merged. `part_index` and `row_in_part` tell which of two facts of a key is the newer one.
 */
/** Exact bytes and long names are rare; where no row has any, sorting need not carry their columns. */
const RARE = 'raw, long_bytes, sha256';
const NARROW = PART_COLUMNS.map(({ name }) => name)
  .filter((name) => name !== 'sequence' && !RARE.split(', ').includes(name))
  .join(', ');
const NO_RARE = `''::BLOB AS raw, -1 AS long_bytes, '' AS sha256`;
const AGE = 'part_index, row_in_part';

/** Rows of some files, behind FROM. `rare`: rows whose bytes or long names are told. `sealed`: with these columns. */
export interface SealSource {
  rows: string;
  rare: boolean;
  sealed: boolean;
}

export function partRows(dir: string, parts: readonly string[]): string {
  if (parts.length === 0) return `(SELECT *, 0 AS part_index, 0 AS row_in_part FROM ${NO_ROWS})`;
  return `(SELECT ${NARROW}, ${RARE}, ([${parts.map(sequenceOf)}])[(file_index + 1)::BIGINT]::UINTEGER AS part_index,
    file_row_number::UINTEGER AS row_in_part FROM read_parquet(${listed(dir, parts)}, file_row_number = true))`;
}

export const runRows = (dir: string, runs: readonly string[]): string => `read_parquet(${listed(dir, runs)})`;

/** Of a row of a run in memory: numbers, and what each text takes beside its bytes. */
const ROW_BYTES = 128;
const TEXT_BYTES = ['strlen(name)', 'strlen(template)', 'strlen(tag)', 'strlen(sha256)', 'octet_length(raw)'];

/** A name, and what its row takes in memory. */
export interface NamedBytes extends Row {
  name: string;
  bytes: number;
}

/**
 * Every `step`-th name of each run from its first on, of those from $1 on, with the bytes that its row takes where
 * ranges are merged. The parts do not tell these: a run has what follows from a name beside it, the larger half of long
 * rows.
 */
export const sampledRows = (dir: string, runs: readonly string[], step: number): string =>
  `SELECT name, ${ROW_BYTES} + ${TEXT_BYTES.map((bytes) => `coalesce(${bytes}, 0)`).join(' + ')} AS bytes
   FROM read_parquet(${listed(dir, runs)}, file_row_number = true)
   WHERE file_row_number % ${step} = 0 AND name >= $1 ORDER BY name`;

export const rareCount = (rows: string): string =>
  `SELECT count(*) AS n FROM ${rows} WHERE octet_length(raw) > 0 OR long_bytes >= 0`;

export const rareRunCount = (rows: string): string =>
  `SELECT count(*) AS n FROM ${rows} WHERE raw IS NOT NULL OR sha256 IS NOT NULL`;

/** The rows of parts as a run holds them. Computed behind the sort, which carries the narrow columns only. */
export const runSelect = ({ rows, rare }: SealSource): string =>
  `SELECT ${PART_SELECT}, ${AGE} FROM (SELECT *${rare ? '' : `, ${NO_RARE}`}
    FROM (SELECT ${NARROW}, ${rare ? `${RARE}, ` : ''}${AGE} FROM ${rows} ORDER BY name))`;

/**
 * The keys of a range of names in the sealed order, each once with its newest facts. Sorting puts the rows of one key
 * beside each other, the newest first; whatever equals the row before it goes. `lag` over the order of the input
 * streams: it keeps one row, not the range.
 */
export function rangeSelect(source: SealSource, where: string): string {
  return source.sealed ? sealedRange(source, where) : partRange(source, where);
}

/** In a part the empty value stands for none, and sorts first as NULLS FIRST does in the sealed order. */
function partRange({ rows, rare }: SealSource, where: string): string {
  const columns = [NARROW, ...(rare ? [RARE] : []), AGE].join(', ');
  const identity = rare ? ['name', 'db', 'raw', 'sha256', 'long_bytes'] : ['name', 'db'];
  const once = newestOnly(`SELECT ${columns} FROM ${rows} ${where}`, identity);
  return `SELECT ${PART_SELECT} FROM (SELECT ${NARROW}, ${rare ? RARE : NO_RARE} FROM (${once}))`;
}

function sealedRange({ rows, rare }: SealSource, where: string): string {
  const columns = rare ? SEALED_COLUMNS : SEALED_COLUMNS.replace('raw, sha256, ', '');
  const identity = rare ? ['name', 'db', 'raw', 'sha256', 'name_bytes'] : ['name', 'db'];
  const once = newestOnly(`SELECT ${columns}, ${AGE} FROM ${rows} ${where}`, identity);
  const none = SEALED_COLUMNS.replace('raw, sha256', 'NULL::BLOB AS raw, NULL::VARCHAR AS sha256');
  return `SELECT ${rare ? SEALED_COLUMNS : none} FROM (${once})`;
}

function newestOnly(select: string, identity: readonly string[]): string {
  const order = identity.map((column) => `${column} NULLS FIRST`).join(', ');
  const before = identity.map((column) => `lag(${column}) OVER () AS before_${column}`).join(', ');
  const differs = identity.map((column) => `before_${column} IS DISTINCT FROM ${column}`).join(' OR ');
  return `SELECT * FROM (SELECT *, ${before} FROM (${select} ORDER BY ${order}, part_index DESC, row_in_part DESC))
    WHERE ${differs}`;
}

const listed = (dir: string, files: readonly string[]) =>
  `[${files.map((file) => quote(path.join(dir, file))).join(', ')}]`;
