import { CHECKED_WITHIN_MS } from '@/lib/findings/wait-for-evaluation';
import type { Actor } from '@/lib/model/actor';
import { bringKeys } from '@/lib/snapshot-store/bring-snapshot';
import { filesAreGone, missingSaidBy } from '@/lib/snapshots/folder/missing-files';
import type { SnapshotRef } from '@/lib/snapshots/query/with-source';
import { getSnapshot } from './get-snapshot';
import { snapshotFolder } from './snapshot-folder';

/**
 * A question to a snapshot whose files may go away under it: parts of a running scan when it seals or reads a node
 * again, an older evaluation when another takes its place, all of them when the snapshot is removed. Then it is asked
 * anew of what is there now. An answer from parts that were being taken away while they were listed may lack some, so
 * one that saw the sealing is asked anew too.
 */
const TRIES = { live: 3, sealed: 2 };
const MAX_BROUGHT = 3;

/** `signal`: of whoever asks; when they have gone, what is being asked for them is interrupted. */
export async function askSnapshot<T>(
  actor: Actor,
  id: string,
  ask: (ref: SnapshotRef) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  let brought = 0;
  for (let attempt = 1; ; attempt++) {
    const manifest = await getSnapshot(actor, id);
    const isLive = manifest.state === 'live';
    try {
      const ref = { dir: snapshotFolder(id), manifest, checkedWithinMs: CHECKED_WITHIN_MS };
      const answer = await ask({ ...ref, ...(signal && { signal }) });
      if (!isLive || (await getSnapshot(actor, id)).state === 'live') return answer;
    } catch (error) {
      if (!filesAreGone(error)) throw error;
      // The question needs keys that the object store has: of which files, it says. Let go again meanwhile: then once
      // more.
      if (await bringKeys(id, { signal, files: missingSaidBy(error) })) {
        if (++brought > MAX_BROUGHT) throw error;
        attempt--;
        continue;
      }
      // Removed meanwhile: then this says so.
      await getSnapshot(actor, id);
      if (attempt === TRIES[isLive ? 'live' : 'sealed']) throw error;
    }
  }
}
