import path from 'node:path';
import { quote } from './duckdb';
import type { Source } from './with-source';

/** A range that contains all names of a sealed file. `from` and `to` need not be names in the file. */
export interface FileBounds {
  file: string;
  /** In bytes of UTF-8, the order of names. */
  from: Buffer;
  to: Buffer;
}

/** Maximum number of snapshots whose bounds are kept in memory; people look at few at a time. */
const MAX_KNOWN = 8;
const knownBounds = new Map<string, readonly FileBounds[]>();

/**
 * Returns the bounds of the files of a sealed snapshot in their order, read from the statistics in the files. null:
 * they are not known for all files, so each file has to be queried; a file that cannot be read fails then.
 */
export async function getFileBounds(
  source: Pick<Source, 'dir' | 'live' | 'manifest' | 'query'>,
): Promise<readonly FileBounds[] | null> {
  const { dir, live, manifest, query } = source;
  if (live || manifest.files.length < 2) return null;
  const key = JSON.stringify([dir, manifest.endedAt, manifest.fileBytes, manifest.files]);
  const found = knownBounds.get(key);
  if (found) return found;
  const bounds = await readFileBounds(query, dir, manifest.files);
  if (!bounds.every((bound) => bound !== null)) return null;
  knownBounds.set(key, bounds);
  for (const oldest of knownBounds.keys()) {
    if (knownBounds.size <= MAX_KNOWN) break;
    knownBounds.delete(oldest);
  }
  return bounds;
}

/**
 * Returns the bounds of each of some files in a folder, read from the statistics in the file. null: its names are too
 * long for statistics, or it cannot be read. `isExact`: the file holds `from` and `to`.
 */
export async function readFileBounds(
  query: Source['query'],
  folder: string,
  names: readonly string[],
): Promise<((FileBounds & { isExact: boolean }) | null)[]> {
  const files = names.map((file) => path.join(folder, file));
  const rows = await query<{ file: string; first: string | null; last: string | null; whole: boolean; exact: boolean }>(
    `SELECT file_name AS file, min(stats_min_value) AS first, max(stats_max_value) AS last,
       bool_and(stats_min_value IS NOT NULL AND stats_max_value IS NOT NULL) AS whole,
       coalesce(bool_and(min_is_exact AND max_is_exact), false) AS exact
     FROM parquet_metadata([${files.map(quote).join(', ')}]) WHERE path_in_schema = 'name' GROUP BY 1`,
  ).catch(() => []);
  const byFile = new Map(rows.map((row) => [row.file, row]));
  return names.map((file, i) => {
    const row = byFile.get(files[i]!);
    return row?.whole ? { file, from: Buffer.from(row.first!), to: Buffer.from(row.last!), isExact: row.exact } : null;
  });
}
