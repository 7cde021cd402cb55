/**
 * The files of a snapshot may disappear under a query: parts of a running scan when it seals or reads a node again, an
 * older evaluation when another replaces it, all files when the snapshot is deleted. The query is then repeated on the
 * files that exist now. An answer from parts that were being deleted while they were listed may lack some, so a query
 * during which the scan sealed is repeated too.
 */

import type { Actor } from '@/lib/model/actor';
import { CHECKED_WITHIN_MS } from '@/lib/rules/findings/wait-for-evaluation';
import { getMissingFiles, isMissingFilesError } from '@/lib/snapshots/folder/missing-files';
import { getSnapshotFolder } from '@/lib/snapshots/folder/snapshot-folder';
import type { SnapshotRef } from '@/lib/snapshots/query/with-source';
import { bringKeys } from '@/lib/snapshots/remote/bring-snapshot';
import { getSnapshot } from './get-snapshot';

/** How often a query is tried on the files that exist. */
const MAX_ATTEMPTS = { live: 3, sealed: 2 };
/** How often files are downloaded for one query. */
const MAX_DOWNLOADS = 3;

/**
 * Runs a query on a snapshot. When `signal` is aborted, because the caller has gone, the query is interrupted. Errors:
 * those of `getSnapshot` and of `runQuery`.
 */
export async function querySnapshot<T>(
  actor: Actor,
  id: string,
  runQuery: (ref: SnapshotRef) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  let downloads = 0;
  for (let attempt = 1; ; attempt++) {
    const manifest = await getSnapshot(actor, id);
    const isLive = manifest.state === 'live';
    try {
      const ref = { dir: getSnapshotFolder(id), manifest, checkedWithinMs: CHECKED_WITHIN_MS };
      const answer = await runQuery({ ...ref, ...(signal && { signal }) });
      if (!isLive || (await getSnapshot(actor, id)).state === 'live') return answer;
    } catch (error) {
      if (!isMissingFilesError(error)) throw error;
      // The query needs key files that the object store holds; the error names them. If the cache evicts them before
      // they are read, they are downloaded again, at most MAX_DOWNLOADS times.
      if (await bringKeys(id, { signal, files: getMissingFiles(error) })) {
        if (++downloads > MAX_DOWNLOADS) throw error;
        // This was no attempt on the files that exist now.
        attempt--;
        continue;
      }
      // If the snapshot was deleted meanwhile, this throws `not_found`.
      await getSnapshot(actor, id);
      if (attempt === MAX_ATTEMPTS[isLive ? 'live' : 'sealed']) throw error;
    }
  }
}
