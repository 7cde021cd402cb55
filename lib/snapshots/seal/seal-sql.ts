import path from 'node:path';
import { NO_ROWS, PART_SELECT } from '@/lib/snapshots/query/columns';
import { quote } from '@/lib/snapshots/query/duckdb';

/**
 * The questions of sealing. Rows stay as they lie in the parts, whose columns are narrow, until they are written for
 * good; `part_index` and `row_in_part` tell which of two facts of a key is the newer one.
 */
const NARROW = 'name, type, encoding, expire_at, bytes, length, idle_seconds, freq, slot, node, db';
/** Exact bytes and long names are rare; where no row has any, sorting need not carry their columns. */
const RARE = 'raw, long_bytes, sha256';
const NO_RARE = `''::BLOB AS raw, -1 AS long_bytes, '' AS sha256`;
const AGE = 'part_index, row_in_part';

/** A file in the folder and its rows. `rare`: rows whose bytes or long names are told. */
export interface SealSource {
  /** Goes behind FROM. */
  rows: string;
  rare: boolean;
}

/** `firstIndex`: the place of the first of them among all parts. */
export function partRows(dir: string, parts: readonly string[], firstIndex: number): string {
  if (parts.length === 0) return `(SELECT *, 0 AS part_index, 0 AS row_in_part FROM ${NO_ROWS})`;
  return `(SELECT ${NARROW}, ${RARE}, (file_index + ${firstIndex})::UINTEGER AS part_index,
    file_row_number::UINTEGER AS row_in_part FROM read_parquet(${listed(dir, parts)}, file_row_number = true))`;
}

export const runRows = (dir: string, runs: readonly string[]): string => `read_parquet(${listed(dir, runs)})`;

/** Every `step`-th name of each run, from the middle of the first step. */
export const sampledNames = (dir: string, runs: readonly string[], step: number): string =>
  `SELECT name FROM read_parquet(${listed(dir, runs)}, file_row_number = true)
   WHERE file_row_number % ${step} = ${Math.floor(step / 2)} ORDER BY name`;

export const rareCount = (rows: string): string =>
  `SELECT count(*) AS n FROM ${rows} WHERE octet_length(raw) > 0 OR long_bytes >= 0`;

/** The rows of a run, by name. */
export const runSelect = ({ rows, rare }: SealSource): string =>
  `SELECT ${NARROW}, ${rare ? RARE : NO_RARE}, ${AGE} FROM (SELECT ${columns(rare)} FROM ${rows} ORDER BY name)`;

/**
 * The keys of a range of names in the sealed order, each once with its newest facts. Sorting puts the rows of one key
 * beside each other, the newest first; whatever equals the row before it goes. `lag` over the order of the input
 * streams: it keeps one row, not the range.
 * In a part the empty value stands for none, and sorts first as NULLS FIRST does in the sealed order.
 */
export function rangeSelect({ rows, rare }: SealSource, where: string): string {
  const identity = rare ? ['name', 'db', 'raw', 'sha256', 'long_bytes'] : ['name', 'db'];
  const sorted = `SELECT ${columns(rare)} FROM ${rows} ${where}
    ORDER BY ${identity.join(', ')}, part_index DESC, row_in_part DESC`;
  const before = identity.map((column) => `lag(${column}) OVER () AS before_${column}`).join(', ');
  const differs = identity.map((column) => `before_${column} IS DISTINCT FROM ${column}`).join(' OR ');
  return `SELECT ${PART_SELECT}
    FROM (SELECT ${NARROW}, ${rare ? RARE : NO_RARE} FROM (SELECT *, ${before} FROM (${sorted})) WHERE ${differs})`;
}

const columns = (rare: boolean) => [NARROW, ...(rare ? [RARE] : []), AGE].join(', ');

const listed = (dir: string, files: readonly string[]) =>
  `[${files.map((file) => quote(path.join(dir, file))).join(', ')}]`;
