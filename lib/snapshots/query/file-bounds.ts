import path from 'node:path';
import { processWide } from '@/lib/process-wide';
import { quote } from './duckdb';
import type { Source } from './with-source';

/** Between which names the keys of a sealed file lie; it may hold neither of them. */
export interface FileBounds {
  file: string;
  /** In bytes of UTF-8, as names are ordered. */
  from: Buffer;
  to: Buffer;
}

/** A few snapshots are looked at at a time. */
const MAX_KNOWN = 8;
const known = () => processWide('file-bounds', () => new Map<string, readonly FileBounds[]>());

/**
 * Of the files of a sealed snapshot in their order, as the files say themselves. null: not known of all of them, so
 * that each has to be asked; a file that cannot be read says so when it is.
 */
export async function fileBounds(
  source: Pick<Source, 'dir' | 'live' | 'manifest' | 'query'>,
): Promise<readonly FileBounds[] | null> {
  const { dir, live, manifest, query } = source;
  if (live || manifest.files.length < 2) return null;
  const key = JSON.stringify([dir, manifest.endedAt, manifest.fileBytes, manifest.files]);
  const found = known().get(key);
  if (found) return found;
  const bounds = await readFileBounds(query, dir, manifest.files);
  if (!bounds.every((one) => one !== null)) return null;
  known().set(key, bounds);
  for (const oldest of known().keys()) {
    if (known().size <= MAX_KNOWN) break;
    known().delete(oldest);
  }
  return bounds;
}

/** What each of some files in a folder says of itself; null where its names are too long for that. */
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
