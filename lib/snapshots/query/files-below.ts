import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';

/**
 * The sealed files that can hold names which begin with `prefix`, in their order. By the description alone, never by
 * what lies in the folder: of a snapshot that came from an object store some files may not be here, and those that are
 * must not pass for all of them.
 */
export function filesBelow(
  { files, cuts }: Pick<SnapshotManifest, 'files' | 'cuts'>,
  prefix: string | undefined,
): readonly string[] {
  if (!prefix || cuts === undefined || cuts.length !== files.length - 1) return files;
  return files.filter((_, index) => {
    const from = cuts[index - 1];
    const before = cuts[index];
    const beginsInTime = from === undefined || from.startsWith(prefix) || byBytes(from, prefix) <= 0;
    return beginsInTime && (before === undefined || byBytes(prefix, before) < 0);
  });
}

/** As the files are sorted. */
const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
