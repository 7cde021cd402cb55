import type { Reply } from '@/lib/redis/protocol/any-reply';
import type { Args, WritingChannel } from './types';
import { oddReply } from './write-failure';

/**
 * Carries commands out together; null: a watched key was written meanwhile, and nothing was done. MULTI goes alone and
 * first: where it is refused, what follows it would be carried out at once and unguarded. Where EXEC is refused the
 * connection would stay in the transaction, and "queued" would be its answer to everything from then on: it is left
 * before anything else is sent. A single command that failed in it is a value of the list. Throws what was refused.
 */
export async function transact(channel: WritingChannel, commands: readonly Args[]): Promise<Reply[] | null> {
  const begun = await channel.call(['MULTI']);
  if (!Buffer.isBuffer(begun) || begun.toString('latin1') !== 'OK') throw oddReply();
  const replies = await channel.callAll([...commands, ['EXEC']]);
  const exec = replies.at(-1);
  if (exec instanceof Error && !queued(replies.slice(0, -1))) throw firstRefusal(replies) ?? exec;
  if (exec instanceof Error) {
    const [left] = await channel.callAll([['DISCARD']]);
    // Nothing may be sent on it any more, whatever it would answer.
    if (left instanceof Error) channel.close();
    throw exec;
  }
  const refused = firstRefusal(replies);
  if (refused) throw refused;
  if (exec === null) return null;
  if (!Array.isArray(exec) || exec.length !== commands.length) throw oddReply();
  return exec;
}

/** All were taken up, so EXEC alone was refused. Where one of them was, the server has left the transaction. */
const queued = (replies: readonly (Reply | Error)[]) => !replies.some((reply) => reply instanceof Error);
const firstRefusal = (replies: readonly (Reply | Error)[]) => replies.find((reply) => reply instanceof Error);
