import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { sealedSql } from './columns';
import type { Source } from './with-source';

/**
 * Rows of one range: so many fit, and each range has the question planned once more, which takes as long as to ask it
 * of some ten thousand keys. Where files have fewer than MIN_FILE_ROWS, on average, they were cut because rows are
 * long: then they stay alone.
 */
const RANGE_ROWS = 2_000_000;
const MIN_FILE_ROWS = 60_000;
/** On disk, where two million usual rows are a third of this. */
const RANGE_BYTES = 64 * 1024 * 1024;

/**
 * The keys of a source as disjoint ranges of names in their order, each a sub-select in brackets: what is asked range
 * by range needs no more memory for more keys. The parts of a running scan are one range, because any name may be in
 * any, and so are the keys below a prefix.
 */
export function rangesOf(source: Pick<Source, 'dir' | 'live' | 'keys' | 'manifest' | 'below'>): string[] {
  const { files } = source.manifest;
  if (source.live || source.below !== undefined || !files?.length) return [source.keys];
  return sealedRanges(source.dir, source.manifest);
}

/** The same of a sealed snapshot: a few neighbouring files each. */
export function sealedRanges(dir: string, manifest: SnapshotManifest): string[] {
  const { files, keys, fileBytes } = manifest;
  const fileRows = keys / files.length;
  const fitting = Math.min(RANGE_ROWS / fileRows, RANGE_BYTES / Math.max(1, (fileBytes ?? 0) / files.length));
  const each = fileRows < MIN_FILE_ROWS ? 1 : Math.max(1, Math.floor(fitting));
  const first = files.filter((_, index) => index % each === 0);
  return first.map((_, index) => {
    const some = files.slice(index * each, (index + 1) * each);
    return `(${sealedSql(dir, { ...manifest, files: some })})`;
  });
}
