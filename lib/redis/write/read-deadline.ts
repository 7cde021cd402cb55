import { readServerTime } from '@/lib/redis/info/server-clock';
import { IN_TIME_MS } from './server-time';
import type { WritingChannel } from './types';
import { scriptDenied } from './write-failure';

/**
 * Returns when a script that is sent now does nothing any more, epoch ms by the server's clock. Without the clock no
 * script is sent, because it could not compare either: then this throws `scriptDenied`.
 */
export async function readDeadline(channel: WritingChannel): Promise<number> {
  const now = await readServerTime(channel);
  if (now === null) throw scriptDenied();
  return now + IN_TIME_MS;
}
