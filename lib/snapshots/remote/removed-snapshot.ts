import { log } from '@/lib/runtime/log';
import { forgetStored } from './forget-stored';
import { type ObjectStore, objectStore } from './objects/object-store';
import { scanPlace } from './scan-files';

/**
 * Call it after the row of a snapshot was deleted. If the store is unavailable, `collectGarbage` removes the objects
 * later.
 */
export const removedSnapshot = (id: string): Promise<void> => removeLater(id, forgetStored);

/** Call it after a scan has ended and no worker has to continue it. */
export const removedScanFiles = (id: string): Promise<void> =>
  removeLater(id, async (store, of, signal) => {
    for (const { name } of await store.list(`${scanPlace(of)}/`, signal)) await store.remove(name, signal);
  });

async function removeLater(
  id: string,
  remove: (store: ObjectStore, id: string, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const store = objectStore();
  if (store === null) return;
  await remove(store, id, AbortSignal.timeout(60_000)).catch((error) =>
    log().warn({ snapshot: id, err: error }, 'snapshot_store.objects_left'),
  );
}
