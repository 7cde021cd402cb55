import { log } from '@/lib/runtime/log';
import { toContentsName } from './contents';
import { getObjectStore, type ObjectStore } from './objects/object-store';

/**
 * Removes a snapshot from the store after its row was deleted. If the store is unavailable, `collectGarbage` removes
 * the objects later.
 */
export async function removeStoredSnapshot(id: string): Promise<void> {
  const store = getObjectStore();
  if (store === null) return;
  await removeStoredObjects(store, id, AbortSignal.timeout(60_000)).catch((error) =>
    log().warn({ snapshot: id, err: error }, 'snapshot_store.objects_left'),
  );
}

/** Removes the list first, because without it the remaining objects are not taken for a snapshot. */
export async function removeStoredObjects(store: ObjectStore, id: string, signal?: AbortSignal): Promise<void> {
  await store.remove(toContentsName(id), signal);
  for (const { name } of await store.list(`${id}/`, signal)) await store.remove(name, signal);
}
