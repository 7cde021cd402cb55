import type { Reply } from '@/lib/redis/protocol/any-reply';
import type { WritingChannel } from './types';
import { oddReply } from './write-failure';

/** What EXISTS of one name says. Anything but 0 or 1 is not "no": a copy would be taken for the key, or freed. */
export function existsOf(reply: Reply | Error | undefined): boolean {
  if (reply instanceof Error) throw reply;
  if (reply !== 0 && reply !== 1) throw oddReply();
  return reply === 1;
}

export const exists = async (channel: WritingChannel, key: Buffer): Promise<boolean> =>
  existsOf(await channel.call(['EXISTS', key]));
