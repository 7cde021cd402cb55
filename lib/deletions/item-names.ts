import { restoreName, tombstoneName } from '@/lib/redis/trash-name';
import type { StoredItem } from '@/lib/store/deletion-items';

/** The name a key carries while it is set aside. */
export const tombstoneOf = (item: StoredItem): Buffer => tombstoneName(item.slot, item.deletionId, item.seq);

/** The name under which it is built again. */
export const temporaryOf = (item: StoredItem): Buffer => restoreName(item.slot, item.deletionId, item.seq);
