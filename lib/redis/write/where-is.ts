import { exists } from './exists';
import type { WritingChannel } from './types';

/** Returns which of its two names a key has now, to find the outcome of a rename whose reply was lost. */
export async function whereIs(
  channel: WritingChannel,
  name: Buffer,
  tombstone: Buffer,
): Promise<{ original: boolean; tombstone: boolean }> {
  return { original: await exists(channel, name), tombstone: await exists(channel, tombstone) };
}
