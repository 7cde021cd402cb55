import { access } from 'node:fs/promises';
import path from 'node:path';

/**
 * Name of the file that lib/snapshots/remote writes when an object store holds this snapshot too. Missing files can then
 * be downloaded.
 */
export const STORED_MARK = 'stored.json';

export const mayComeFromStore = (dir: string): Promise<boolean> =>
  access(path.join(dir, STORED_MARK)).then(
    () => true,
    () => false,
  );
