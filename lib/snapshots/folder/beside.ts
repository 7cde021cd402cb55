import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '@/lib/model/errors';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { checksumOfBytes, damagedFiles, reportDamage } from './checksums';

/** Small files beside the keys: what the servers said at the end of the reading, and what was seen in values. */
export const SERVER_FILE = 'server.json';
export const SAMPLES_FILE = 'value-samples.json';
export const BESIDE = [SERVER_FILE, SAMPLES_FILE];

export interface DescribedFolder {
  dir: string;
  manifest: Pick<SnapshotManifest, 'checksums'>;
}

/**
 * null: the scan wrote none. Errors: `snapshot_damaged`; `snapshot_unreadable`, with its name, where it is not here and
 * the description says that it was written.
 */
export async function readBeside<T>({ dir, manifest }: DescribedFolder, file: string): Promise<T | null> {
  const sum = manifest.checksums[file];
  const bytes = await readFile(path.join(dir, file)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return null;
  });
  if (bytes === null) {
    if (sum === undefined) return null;
    throw new AppError('snapshot_unreadable', 'A file of this snapshot is missing.', { missing: [file] });
  }
  if (sum !== undefined && sum !== checksumOfBytes(bytes)) {
    await reportDamage(dir, file);
    throw damagedFiles([file]);
  }
  try {
    return JSON.parse(bytes.toString('utf8')) as T;
  } catch {
    // Of a version that wrote no checksums, and damaged: what it said is not known.
    return null;
  }
}
