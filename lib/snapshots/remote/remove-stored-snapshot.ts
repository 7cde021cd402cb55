import { log } from '@/lib/runtime/log';
import { forgetStored } from './forget-stored';
import { getObjectStore } from './objects/object-store';

/**
 * Call it after the row of a snapshot was deleted. If the store is unavailable, `collectGarbage` removes the objects
 * later.
 */
export async function removeStoredSnapshot(id: string): Promise<void> {
  const store = getObjectStore();
  if (store === null) return;
  await forgetStored(store, id, AbortSignal.timeout(60_000)).catch((error) =>
    log().warn({ snapshot: id, err: error }, 'snapshot_store.objects_left'),
  );
}
