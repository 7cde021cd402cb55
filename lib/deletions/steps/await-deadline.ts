import { TransientFailure } from '@/lib/deletions/executor/run-errors';
import { getJournal } from '@/lib/deletions/journal/write-journal';
import { readServerTime } from '@/lib/redis/info/server-clock';
import { IN_TIME_MS } from '@/lib/redis/write/server-time';
import type { WritingChannel } from '@/lib/redis/write/types';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';

/**
 * Waits for the deadline of an earlier command. A command whose answer was lost may reach the server later than the
 * next one: nothing else is sent for its key until the clock of the server has passed the deadline, after which the
 * command does nothing. Throws TransientFailure until then.
 */
export async function awaitDeadline(item: StoredItem, channel: WritingChannel): Promise<void> {
  const { deadline } = getJournal(item);
  if (deadline === undefined) return;
  const now = await readServerTime(channel);
  // The deadline is farther away than any deadline can be, so it is by the clock of another server: nothing was sent to
  // this one.
  if (now === null || now > deadline || deadline - now > IN_TIME_MS) return;
  throw createPendingFailure();
}

/** The failure after which the work waits, because a command that was sent before may still be carried out. */
export const createPendingFailure = () =>
  new TransientFailure({ code: 'connection_lost', params: { message: 'An earlier command may still be on its way.' } });
