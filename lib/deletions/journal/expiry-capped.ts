import type { CodedMessage } from '@/lib/model/deletions/coded-message';
import { LAST_MOMENT } from '@/lib/redis/keys/expiry-moment';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';
import { codedMessage, journalOf } from './item-journal';

/** What a restored key did not get back as it was: an expiry beyond the last moment that can be kept. */
export const expiryCapped = (item: StoredItem): CodedMessage | null =>
  journalOf(item).expireAt === LAST_MOMENT ? codedMessage('expiry_capped') : null;
