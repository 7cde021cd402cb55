import { log } from '@/lib/runtime/log';
import { listObjectCounts, recordObjectCount } from '@/lib/store/snapshots';
import { claimPlace } from './claim-place';
import { readContents, toContentsName, toFileObjectName } from './contents';
import type { ObjectStore, StoredObject } from './objects/object-store';
import { removeStoredObjects } from './remove-stored-snapshot';

/** ms; longer than any upload takes. Younger objects may belong to an upload of another machine. */
export const GARBAGE_AGE_MS = 24 * 3_600_000;
const SNAPSHOT_ID = /^([a-z0-9]{8,40})\//;

/**
 * Removes objects of snapshots without a row (removed while the store was unavailable), and objects of known snapshots
 * that are not in their list (from an interrupted upload). Rows are read after the objects are listed, because a
 * snapshot has its row before its first object. Returns the number of removed objects.
 */
export async function collectGarbage(store: ObjectStore, now: number, signal?: AbortSignal): Promise<number> {
  await claimPlace(store);
  const snapshots = new Map<string, StoredObject[]>();
  for (const object of await store.list('', signal)) {
    const id = SNAPSHOT_ID.exec(object.name)?.[1];
    if (id !== undefined) snapshots.set(id, [...(snapshots.get(id) ?? []), object]);
  }
  const known = await listObjectCounts();
  const isOld = ({ modifiedAt }: StoredObject) => now - modifiedAt > GARBAGE_AGE_MS;
  let removed = 0;
  for (const [id, objects] of snapshots) {
    signal?.throwIfAborted();
    if (!objects.some(isOld)) continue;
    if (!known.has(id)) {
      if (!objects.every(isOld)) continue;
      await removeStoredObjects(store, id, signal);
      removed += objects.length;
      continue;
    }
    // If there are as many objects as the last upload recorded, they are taken for the listed ones. This avoids
    // downloading thousands of lists for thousands of snapshots.
    const hasList = objects.some(({ name }) => name === toContentsName(id));
    if (hasList && known.get(id) === objects.length) continue;
    const contents = await readContents(store, id, signal);
    if (contents === null) continue;
    const named = new Set([toContentsName(id), ...contents.files.map((file) => toFileObjectName(id, file))]);
    for (const object of objects)
      if (isOld(object) && !named.has(object.name)) {
        await store.remove(object.name, signal);
        removed++;
      }
    if (known.get(id) !== named.size) await recordObjectCount(id, named.size);
  }
  if (removed > 0) log().info({ objects: removed }, 'snapshot_store.garbage_removed');
  return removed;
}
