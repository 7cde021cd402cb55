import { hasKey } from './has-key';
import type { WritingChannel } from './types';

/** Returns which of its two names a key has now, to find the outcome of a rename whose reply was lost. */
export async function checkBothNames(
  channel: WritingChannel,
  name: Buffer,
  tombstone: Buffer,
): Promise<{ original: boolean; tombstone: boolean }> {
  return { original: await hasKey(channel, name), tombstone: await hasKey(channel, tombstone) };
}
