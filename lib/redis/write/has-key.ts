import type { Reply } from '@/lib/redis/protocol/any-reply';
import type { WritingChannel } from './types';
import { createUnexpectedReplyError } from './write-failure';

/**
 * Parses the reply to EXISTS of one name. Any reply but 0 or 1 throws: read as "no", a copy could be taken for the key,
 * or be freed.
 */
export function parseExists(reply: Reply | Error | undefined): boolean {
  if (reply instanceof Error) throw reply;
  if (reply !== 0 && reply !== 1) throw createUnexpectedReplyError();
  return reply === 1;
}

export const hasKey = async (channel: WritingChannel, key: Buffer): Promise<boolean> =>
  parseExists(await channel.call(['EXISTS', key]));
