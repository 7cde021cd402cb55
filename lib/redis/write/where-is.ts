import type { WritingChannel } from './types';

/** Under which of its two names a key is: what a lost reply of a rename has left. */
export async function whereIs(
  channel: WritingChannel,
  name: Buffer,
  tombstone: Buffer,
): Promise<{ original: boolean; tombstone: boolean }> {
  const original = await channel.call(['EXISTS', name]);
  const ours = await channel.call(['EXISTS', tombstone]);
  return { original: original === 1, tombstone: ours === 1 };
}
