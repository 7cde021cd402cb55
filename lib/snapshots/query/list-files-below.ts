import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';

/**
 * Returns the sealed files that can hold names beginning with `prefix`, in their order. They are computed from the
 * manifest and never from the folder: when a snapshot came from an object store, some files may be missing there, and
 * those present must not be taken for all of them.
 */
export function listFilesBelow(
  { files, cuts }: Pick<SnapshotManifest, 'files' | 'cuts'>,
  prefix: string | undefined,
): readonly string[] {
  if (!prefix || cuts === undefined || cuts.length !== files.length - 1) return files;
  return files.filter((_, index) => {
    const from = cuts[index - 1];
    const before = cuts[index];
    const beginsInTime = from === undefined || from.startsWith(prefix) || compareNameBytes(from, prefix) <= 0;
    return beginsInTime && (before === undefined || compareNameBytes(prefix, before) < 0);
  });
}

/** Compares two names by their UTF-8 bytes, the order of the sealed files. */
const compareNameBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
