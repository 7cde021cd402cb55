import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { writeFileDurably } from '@/lib/snapshots/folder/durable';
import { STORED_MARK } from '@/lib/snapshots/folder/stored-mark';
import { StoredContents } from './contents';

/** Writes the mark of a snapshot that is completely in the object store: the list of files that was verified there. */
export const writeStoredMark = (dir: string, contents: StoredContents): Promise<void> =>
  writeFileDurably(path.join(dir, STORED_MARK), JSON.stringify(contents));

/** Returns null if nobody has verified that the store has the snapshot. */
export async function readStoredMark(dir: string): Promise<StoredContents | null> {
  try {
    return StoredContents.parse(JSON.parse(await readFile(path.join(dir, STORED_MARK), 'utf8')));
  } catch {
    return null;
  }
}
