import type { CodedMessage } from '@/lib/model/deletions/coded-message';
import { LAST_MOMENT } from '@/lib/redis/keys/expiry-moment';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';
import { createCodedMessage, getJournal } from './item-journal';

/**
 * Returns the note that a restored key got an earlier expiry: the original one was beyond the last moment that can be
 * set. null = the expiry is the original one.
 */
export const reportCappedExpiry = (item: StoredItem): CodedMessage | null =>
  getJournal(item).expireAt === LAST_MOMENT ? createCodedMessage('expiry_capped') : null;
