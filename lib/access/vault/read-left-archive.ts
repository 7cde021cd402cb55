import { AppError } from '@/lib/model/errors';
import { hasBegun } from './archive-file';
import { type ArchiveIndex, verifyArchive } from './archive-reader';
import { createDamagedError } from './archive-record';
import { toArchiveError } from './archive-writer';

/**
 * Reads what an earlier run has left in a file. The file is only read from now on, because that run may still write to
 * it. `synced`: how many bytes are known to be synced; with fewer good ones, elements that are gone from the server
 * would be missing. null = the file has nothing. Errors: `archive_damaged` and those of reading.
 */
export async function readLeftArchive(
  file: string,
  deletionId: string,
  { synced, upTo }: { synced: number; upTo: number | undefined },
): Promise<ArchiveIndex | null> {
  try {
    if (synced <= 0 && (upTo === 0 || !(await hasBegun(file)))) return null;
    const index = await verifyArchive(file, deletionId, { tornTail: true, upTo });
    if (index.bytes < synced) throw createDamagedError(index.records);
    // The archive was completed, and the store does not know it: the store is older than the file.
    if (index.sealed)
      throw new AppError('archive_damaged', 'The archive is sealed: nothing can follow.', { sealed: true });
    return index;
  } catch (error) {
    throw toArchiveError(error);
  }
}
