import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { writeFileDurably } from '@/lib/snapshots/folder/durable';
import { STORED_MARK } from '@/lib/snapshots/folder/stored-mark';
import { StoredContents } from './contents';

/** In the folder of a snapshot that the object store is known to hold whole: what was verified there. */
export const writeStoredMark = (dir: string, contents: StoredContents): Promise<void> =>
  writeFileDurably(path.join(dir, STORED_MARK), JSON.stringify(contents));

/** null = nobody has verified that the store holds it. */
export async function readStoredMark(dir: string): Promise<StoredContents | null> {
  try {
    return StoredContents.parse(JSON.parse(await readFile(path.join(dir, STORED_MARK), 'utf8')));
  } catch {
    return null;
  }
}
