import { exists } from './exists';
import type { WritingChannel } from './types';

/** Under which of its two names a key is: what a lost reply of a rename has left. */
export async function whereIs(
  channel: WritingChannel,
  name: Buffer,
  tombstone: Buffer,
): Promise<{ original: boolean; tombstone: boolean }> {
  return { original: await exists(channel, name), tombstone: await exists(channel, tombstone) };
}
