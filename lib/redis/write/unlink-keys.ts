import type { Reply } from '@/lib/redis/protocol/any-reply';
import { hasKey, parseExists } from './has-key';
import type { WritingChannel } from './types';
import { createUnexpectedReplyError, isUnknownCommand, WriteFailure } from './write-failure';

/** Connections whose server has no UNLINK (before 4.0, or renamed); found out once per connection. */
const withoutUnlink = new WeakSet<WritingChannel['stats']>();

/**
 * Removes keys of one slot with UNLINK, which frees them in the background. false = the server does not know the
 * command, and nothing was done: large keys must be emptied first. A denied command is thrown instead. If the server
 * does not report that it removed a single key, EXISTS checks that the key is gone.
 */
export async function unlinkKeys(channel: WritingChannel, keys: readonly Buffer[]): Promise<boolean> {
  if (withoutUnlink.has(channel.stats)) return false;
  try {
    const removed = await channel.call(['UNLINK', ...keys]);
    const [only] = keys;
    if (!isCount(removed)) throw createUnexpectedReplyError();
    if (keys.length === 1 && only && removed === 0 && (await hasKey(channel, only))) throw createStillThereError();
    return true;
  } catch (error) {
    if (!isUnknownCommand(error)) throw error;
    withoutUnlink.add(channel.stats);
    return false;
  }
}

/** Removes one key that is small, empty, or freed at once by either command (strings, compact encodings). */
export async function removeSmall(channel: WritingChannel, key: Buffer): Promise<void> {
  if (await unlinkKeys(channel, [key])) return;
  const removed = await channel.call(['DEL', key]);
  if (!isCount(removed)) throw createUnexpectedReplyError();
  if (removed === 0 && (await hasKey(channel, key))) throw createStillThereError();
}

/**
 * Removes many small keys of one node and database in one write. Throws the first refusal; then none of them may be
 * reported as gone.
 */
export async function removeAllSmall(channel: WritingChannel, keys: readonly Buffer[]): Promise<void> {
  if (keys.length === 0) return;
  const send = (command: string) => channel.callAll(keys.map((key) => [command, key]));
  let replies = withoutUnlink.has(channel.stats) ? await send('DEL') : await send('UNLINK');
  if (replies.some(isUnknownCommand)) {
    withoutUnlink.add(channel.stats);
    replies = await send('DEL');
  }
  for (const reply of replies) if (reply instanceof Error) throw reply;
  if (!replies.every(isCount)) throw createUnexpectedReplyError();
  const notRemoved = keys.filter((_, index) => replies[index] === 0);
  if (notRemoved.length === 0) return;
  const found = await channel.callAll(notRemoved.map((key) => ['EXISTS', key]));
  if (found.map(parseExists).includes(true)) throw createStillThereError();
}

const isCount = (reply: Reply | Error) => typeof reply === 'number' && reply >= 0;
const createStillThereError = () =>
  new WriteFailure('refused', 'ERR', 'The server removed nothing, and what was to be removed is there.');
