import type { CodedMessage } from '@/lib/model/deletions/coded-message';
import { LAST_MOMENT } from '@/lib/redis/keys/expiry-moment';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';
import { codedMessage, journalOf } from './item-journal';

/**
 * Reports that a restored key got an earlier expiry: the original one was beyond the last moment that can be set. null
 * = the expiry is the original one.
 */
export const expiryCapped = (item: StoredItem): CodedMessage | null =>
  journalOf(item).expireAt === LAST_MOMENT ? codedMessage('expiry_capped') : null;
