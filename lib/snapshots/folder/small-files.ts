import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '@/lib/model/errors';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { computeChecksum, createDamagedFilesError, reportDamage } from './checksums';

/**
 * Names of the small files next to the key files: the audit of the servers at the end of the scan, and the findings in
 * sampled values.
 */
export const SERVER_FILE = 'server.json';
export const SAMPLES_FILE = 'value-samples.json';
export const SMALL_FILES = [SERVER_FILE, SAMPLES_FILE];

export interface DescribedFolder {
  dir: string;
  manifest: Pick<SnapshotManifest, 'checksums'>;
}

/**
 * Reads one of the small files as JSON. null: the scan did not write it. Errors: `snapshot_damaged`;
 * `snapshot_unreadable` with the file name in `missing` when the manifest lists the file and the folder does not have
 * it.
 */
export async function readSmallFile<T>({ dir, manifest }: DescribedFolder, file: string): Promise<T | null> {
  const sum = manifest.checksums[file];
  const bytes = await readFile(path.join(dir, file)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return null;
  });
  if (bytes === null) {
    if (sum === undefined) return null;
    throw new AppError('snapshot_unreadable', 'A file of this snapshot is missing.', { missing: [file] });
  }
  if (sum !== undefined && sum !== computeChecksum(bytes)) {
    await reportDamage(dir, file);
    throw createDamagedFilesError([file]);
  }
  try {
    return JSON.parse(bytes.toString('utf8')) as T;
  } catch {
    // The manifest of a running scan has no checksum of it. What cannot be parsed is treated as unknown.
    return null;
  }
}
