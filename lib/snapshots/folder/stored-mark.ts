import { access } from 'node:fs/promises';
import path from 'node:path';

/** Written by lib/snapshot-store: an object store holds this snapshot too, so files that are not here can come. */
export const STORED_MARK = 'stored.json';

export const mayComeFromStore = (dir: string): Promise<boolean> =>
  access(path.join(dir, STORED_MARK)).then(
    () => true,
    () => false,
  );
