import { TransientFailure } from '@/lib/deletions/executor/run-errors';
import { journalOf } from '@/lib/deletions/journal/item-journal';
import { readServerTime } from '@/lib/redis/info/server-clock';
import { IN_TIME_MS } from '@/lib/redis/write/server-time';
import type { WritingChannel } from '@/lib/redis/write/types';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';

/**
 * A command whose answer was lost may reach the server later than the next one: nothing else is sent for its key until
 * the server's clock has passed the moment from which on it does nothing. Throws TransientFailure until then.
 */
export async function awaitDeadline(item: StoredItem, channel: WritingChannel): Promise<void> {
  const { deadline } = journalOf(item);
  if (deadline === undefined) return;
  const now = await readServerTime(channel);
  // Farther away than it ever was: the clock of another server, to which nothing was sent.
  if (now === null || now > deadline || deadline - now > IN_TIME_MS) return;
  throw new TransientFailure({
    code: 'connection_lost',
    params: { message: 'An earlier command may still be on its way.' },
  });
}
