import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { sealedSql } from './columns';
import type { Source } from './with-source';

/**
 * Rows of one range, at most, because they have to fit into memory. Smaller ranges would cost time: each is planned
 * separately, which takes as long as querying some ten thousand keys.
 */
const RANGE_ROWS = 2_000_000;
/** Files with fewer rows on average were cut because their rows are long, so each is a range of its own. */
const MIN_FILE_ROWS = 60_000;
/** Bytes of one range on disk, at most; two million usual rows take a third of this. */
const RANGE_BYTES = 64 * 1024 * 1024;

/**
 * Returns the keys of a source as disjoint ranges of names in their order, each a sub-select in brackets. A query that
 * runs range by range needs no more memory for more keys. The parts of a running scan are one range, because any name
 * may be in any part, and so are the keys below a prefix.
 */
export function listKeyRanges(source: Pick<Source, 'dir' | 'live' | 'keys' | 'manifest' | 'below'>): string[] {
  const { files } = source.manifest;
  if (source.live || source.below !== undefined || !files?.length) return [source.keys];
  return listSealedRanges(source.dir, source.manifest);
}

/** Returns the ranges of a sealed snapshot: a few consecutive files each. */
export function listSealedRanges(dir: string, manifest: SnapshotManifest): string[] {
  const { files, keys, fileBytes } = manifest;
  const fileRows = keys / files.length;
  const fitting = Math.min(RANGE_ROWS / fileRows, RANGE_BYTES / Math.max(1, (fileBytes ?? 0) / files.length));
  const rangeFiles = fileRows < MIN_FILE_ROWS ? 1 : Math.max(1, Math.floor(fitting));
  const ranges: string[] = [];
  for (let from = 0; from < files.length; from += rangeFiles)
    ranges.push(`(${sealedSql(dir, { ...manifest, files: files.slice(from, from + rangeFiles) })})`);
  return ranges;
}
