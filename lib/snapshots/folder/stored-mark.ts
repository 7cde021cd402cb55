import path from 'node:path';
import { hasFile } from './missing-files';

/**
 * Name of the file that lib/snapshots/remote writes when an object store holds this snapshot too. Missing files can
 * then be downloaded.
 */
export const STORED_MARK = 'stored.json';

export const mayComeFromStore = (dir: string): Promise<boolean> => hasFile(path.join(dir, STORED_MARK));
