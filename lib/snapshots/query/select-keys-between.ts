import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { sealedSql } from './columns';
import type { Source } from './with-source';

type KeySource = Pick<Source, 'dir' | 'manifest' | 'live' | 'keys' | 'below'>;

/**
 * Returns a sub-select in brackets over the files that can hold names from `from` up to and including `to` (the column
 * `name`). These files hold other keys too. Without it the database would open hundreds of files of a large snapshot
 * only to see that they hold none. A running scan may have any name in any part, so all its keys are returned.
 */
export const selectKeysBetween = (source: KeySource, from: string, to: string): string =>
  selectSpans(source, [[from, to]]);

/** Like `selectKeysBetween`, over the files that can hold one of these names. */
export const selectKeysNamed = (source: KeySource, names: readonly string[]): string =>
  selectSpans(
    source,
    names.map((name) => [name, name]),
  );

function selectSpans(
  { dir, manifest, live, keys, below }: KeySource,
  spans: readonly [from: string, to: string][],
): string {
  if (live || below !== undefined || !manifest.files?.length) return keys;
  const findFilesBetween = buildFileFinder(manifest);
  const holding = new Set(spans.flatMap(([from, to]) => findFilesBetween(from, to)));
  const files = manifest.files.filter((file) => holding.has(file));
  return files.length === 0 ? `(SELECT * FROM ${keys} WHERE false)` : `(${sealedSql(dir, { ...manifest, files })})`;
}

/**
 * Uses only the manifest, as list-files-below.ts does. The search is binary, because a thousand names may be looked
 * up in a thousand files.
 */
function buildFileFinder({ files, cuts }: SnapshotManifest): (from: string, to: string) => readonly string[] {
  if (cuts === undefined || cuts.length !== files.length - 1) return () => files;
  const sorted = cuts.map((cut) => Buffer.from(cut));
  return (from, to) =>
    files.slice(countCutsUpTo(sorted, Buffer.from(from)), countCutsUpTo(sorted, Buffer.from(to)) + 1);
}

/** Returns how many of the cuts are at most `name`. */
function countCutsUpTo(cuts: readonly Buffer[], name: Buffer): number {
  let [low, high] = [0, cuts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (Buffer.compare(cuts[middle]!, name) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
