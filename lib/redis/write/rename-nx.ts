import { hasKey } from './has-key';
import type { WritingChannel } from './types';
import { createUnexpectedReplyError, WriteFailure } from './write-failure';

/** Renames without ever overwriting an existing name; `recreated` = the new name already exists. */
export async function renameNx(
  channel: WritingChannel,
  from: Buffer,
  to: Buffer,
): Promise<'renamed' | 'recreated' | 'vanished'> {
  try {
    const moved = await channel.call(['RENAMENX', from, to]);
    if (moved !== 0 && moved !== 1) throw createUnexpectedReplyError();
    return moved === 1 ? 'renamed' : 'recreated';
  } catch (error) {
    // The error was probably "no such key".
    if (error instanceof WriteFailure && error.kind === 'refused' && !(await hasKey(channel, from))) return 'vanished';
    throw error;
  }
}
