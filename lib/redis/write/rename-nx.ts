import type { WritingChannel } from './types';
import { WriteFailure } from './write-failure';

/** An existing name is never overwritten; `recreated`: there is one. */
export async function renameNx(
  channel: WritingChannel,
  from: Buffer,
  to: Buffer,
): Promise<'renamed' | 'recreated' | 'vanished'> {
  try {
    return (await channel.call(['RENAMENX', from, to])) === 1 ? 'renamed' : 'recreated';
  } catch (error) {
    // "no such key"
    if (error instanceof WriteFailure && error.kind === 'refused' && (await channel.call(['EXISTS', from])) === 0)
      return 'vanished';
    throw error;
  }
}
