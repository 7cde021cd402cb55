import { toContentsName } from './contents';
import type { ObjectStore } from './objects/object-store';

/**
 * Removes a snapshot from the store. The list goes first, because without it the remaining objects are not taken for a
 * snapshot.
 */
export async function forgetStored(store: ObjectStore, id: string, signal?: AbortSignal): Promise<void> {
  await store.remove(toContentsName(id), signal);
  for (const { name } of await store.list(`${id}/`, signal)) await store.remove(name, signal);
}
