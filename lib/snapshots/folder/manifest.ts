import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '@/lib/model/errors';
import { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { writeFileDurably } from './durable';

export const MANIFEST_FILE = 'snapshot.json';

/**
 * Throws AppError('not_found') where there is no snapshot and ('snapshot_unreadable') where its description is damaged.
 */
export async function readManifest(dir: string): Promise<SnapshotManifest> {
  let text: string;
  try {
    text = await readFile(path.join(dir, MANIFEST_FILE), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      throw new AppError('not_found', 'There is no such snapshot.', {}, { cause: error });
    }
    throw error;
  }
  try {
    return SnapshotManifest.parse(JSON.parse(text));
  } catch (error) {
    throw new AppError('snapshot_unreadable', 'The description of this snapshot is damaged.', {}, { cause: error });
  }
}

/** Whether what lies in the folder is still the snapshot of this description. */
export async function isDescribedAs(dir: string, { endedAt, fileBytes }: SnapshotManifest): Promise<boolean> {
  const text = await readFile(path.join(dir, MANIFEST_FILE), 'utf8').catch(() => 'null');
  const now: Partial<SnapshotManifest> | null = JSON.parse(text);
  return now !== null && now.endedAt === endedAt && now.fileBytes === fileBytes;
}

/** Atomic: a reader sees the former or the new description, whole. */
export async function writeManifest(dir: string, manifest: SnapshotManifest): Promise<void> {
  await writeFileDurably(
    path.join(dir, MANIFEST_FILE),
    `${JSON.stringify(SnapshotManifest.parse(manifest), null, 2)}\n`,
  );
}
