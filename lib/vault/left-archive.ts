import { AppError } from '@/lib/model/errors';
import { hasBegun } from './archive-file';
import { type ArchiveIndex, verifyArchive } from './archive-reader';
import { damaged } from './archive-record';
import { failureOf } from './archive-writer';

/**
 * What an earlier run has left in a file that is only read from now on: that run may still write to it. `synced`: bytes
 * that a `sync` has answered for; with fewer good ones, elements that are gone from the server would be missing. null =
 * there is nothing in it.
 */
export async function readLeftArchive(
  file: string,
  deletionId: string,
  { synced, upTo }: { synced: number; upTo: number | undefined },
): Promise<ArchiveIndex | null> {
  try {
    if (synced <= 0 && (upTo === 0 || !(await hasBegun(file)))) return null;
    const index = await verifyArchive(file, deletionId, { tornTail: true, upTo });
    if (index.bytes < synced) throw damaged(index.records);
    // Written to its end, and whoever asks does not know it: what asks is older than the file.
    if (index.sealed)
      throw new AppError('archive_damaged', 'The archive is sealed: nothing can follow.', { sealed: true });
    return index;
  } catch (error) {
    throw failureOf(error);
  }
}
