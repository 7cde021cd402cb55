import type { Reply } from '@/lib/redis/protocol/any-reply';
import type { Args, WritingChannel } from './types';
import { createOddReplyError } from './write-failure';

/**
 * Executes commands in one transaction; null = a watched key was written meanwhile, and nothing was done. MULTI is sent
 * alone and first: if it is refused, the commands after it would be executed at once without protection. If EXEC is
 * refused, the connection would stay in the transaction and answer everything with "QUEUED", so DISCARD is sent before
 * anything else. A single command that failed within the transaction is a value of the list. Throws refusals.
 */
export async function transact(channel: WritingChannel, commands: readonly Args[]): Promise<Reply[] | null> {
  const begun = await channel.call(['MULTI']);
  if (!Buffer.isBuffer(begun) || begun.toString('latin1') !== 'OK') throw createOddReplyError();
  const replies = await channel.callAll([...commands, ['EXEC']]);
  const exec = replies.at(-1);
  if (exec instanceof Error && !isAllQueued(replies.slice(0, -1))) throw findFirstRefusal(replies) ?? exec;
  if (exec instanceof Error) {
    const [left] = await channel.callAll([['DISCARD']]);
    // The connection is in an unknown state, so nothing more may be sent on it.
    if (left instanceof Error) channel.close();
    throw exec;
  }
  const refused = findFirstRefusal(replies);
  if (refused) throw refused;
  if (exec === null) return null;
  if (!Array.isArray(exec) || exec.length !== commands.length) throw createOddReplyError();
  return exec;
}

/**
 * Whether all commands were queued, so that only EXEC was refused. If one was refused, the server has ended the
 * transaction.
 */
const isAllQueued = (replies: readonly (Reply | Error)[]) => !replies.some((reply) => reply instanceof Error);
const findFirstRefusal = (replies: readonly (Reply | Error)[]) => replies.find((reply) => reply instanceof Error);
