import { log } from '@/lib/log';
import { forgetStored } from './forget-stored';
import { objectStore } from './object-store';

/** Behind the end of its row; what a store that is away keeps, `collectGarbage` removes later. */
export async function removedSnapshot(id: string): Promise<void> {
  const store = objectStore();
  if (store === null) return;
  await forgetStored(store, id, AbortSignal.timeout(60_000)).catch((error) =>
    log().warn({ snapshot: id, err: error }, 'snapshot_store.objects_left'),
  );
}
