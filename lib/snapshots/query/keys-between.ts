import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { sealedSql } from './columns';
import type { Source } from './with-source';

type Asked = Pick<Source, 'dir' | 'manifest' | 'live' | 'keys' | 'below'>;

/**
 * The keys of the files that can hold names from `from` up to and with `to` (the column `name`), as a sub-select in
 * brackets: the database would open the others to see that they hold none, hundreds of them in a large snapshot. Other
 * keys of these files are among them. A running scan has any name in any part.
 */
export const keysBetween = (source: Asked, from: string, to: string): string => keysOf(source, [[from, to]]);

/** The same of files that can hold one of these names. */
export const keysNamed = (source: Asked, names: readonly string[]): string =>
  keysOf(
    source,
    names.map((name) => [name, name]),
  );

function keysOf({ dir, manifest, live, keys, below }: Asked, spans: readonly [from: string, to: string][]): string {
  if (live || below !== undefined || !manifest.files?.length) return keys;
  const between = filesBetween(manifest);
  const holding = new Set(spans.flatMap(([from, to]) => between(from, to)));
  const files = manifest.files.filter((file) => holding.has(file));
  return files.length === 0 ? `(SELECT * FROM ${keys} WHERE false)` : `(${sealedSql(dir, { ...manifest, files })})`;
}

/** By the description alone, as in files-below.ts; a thousand names may be asked of a thousand files. */
function filesBetween({ files, cuts }: SnapshotManifest): (from: string, to: string) => readonly string[] {
  if (cuts === undefined || cuts.length !== files.length - 1) return () => files;
  const sorted = cuts.map((cut) => Buffer.from(cut));
  return (from, to) => files.slice(placeOf(sorted, Buffer.from(from)), placeOf(sorted, Buffer.from(to)) + 1);
}

/** How many of these are at most `name`. */
function placeOf(cuts: readonly Buffer[], name: Buffer): number {
  let [low, high] = [0, cuts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (Buffer.compare(cuts[middle]!, name) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
