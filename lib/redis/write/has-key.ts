import type { Reply } from '@/lib/redis/protocol/any-reply';
import type { WritingChannel } from './types';
import { createUnexpectedReplyError } from './write-failure';

/**
 * Parses the reply to EXISTS of one name. Any reply but 0 or 1 throws: if it were read as "no", Colonnade might use or
 * free a copy although the key exists.
 */
export function parseExists(reply: Reply | Error | undefined): boolean {
  if (reply instanceof Error) throw reply;
  if (reply !== 0 && reply !== 1) throw createUnexpectedReplyError();
  return reply === 1;
}

export const hasKey = async (channel: WritingChannel, key: Buffer): Promise<boolean> =>
  parseExists(await channel.call(['EXISTS', key]));
