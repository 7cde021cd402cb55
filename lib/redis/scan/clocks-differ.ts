import { skewOf, timeOfInfo } from '@/lib/redis/info/clock-skew';
import type { RespChannel } from '@/lib/redis/protocol/resp-channel';

/** Less than this may be the time that the answer took. */
const ALIKE_MS = 1000;

/**
 * Whether the server's clock is another than ours. PEXPIRETIME tells a moment of that clock, while everything is
 * counted from ours: five minutes between the two would make keys of five minutes look expired, or those that end now
 * look new. PTTL needs no clock. false where the server does not tell.
 */
export async function clocksDiffer(channel: Pick<RespChannel, 'call'>): Promise<boolean> {
  const before = Date.now();
  const info = await channel.call(['INFO', 'server']);
  const after = Date.now();
  const theirs = timeOfInfo(String(info));
  return theirs !== null && Math.abs(skewOf(theirs, before, after)) > ALIKE_MS;
}
