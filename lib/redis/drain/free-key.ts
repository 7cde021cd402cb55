import { isElementType } from '@/lib/model/deletions/archive';
import type { DrainPosition } from '@/lib/model/deletions/item-journal';
import type { WritingChannel } from '@/lib/redis/write/types';
import { removeSmall, unlinkKeys } from '@/lib/redis/write/unlink-keys';
import { WriteFailure } from '@/lib/redis/write/write-failure';
import { selectDrainer } from './select-drainer';

/** Elements removed per command if the server has no UNLINK. */
const ELEMENTS = 200;

/**
 * Removes an internal key that nobody reads and that will not be restored, however large it is: with UNLINK, or chunk
 * by chunk if the server has no UNLINK, because DEL would free all of it at once.
 */
export async function freeKey(channel: WritingChannel, key: Buffer): Promise<void> {
  if (await unlinkKeys(channel, [key])) return;
  const [typeReply, encodingReply] = await channel.callAll([
    ['TYPE', key],
    ['OBJECT', 'ENCODING', key],
  ]);
  if (typeReply instanceof Error) throw typeReply;
  const type = Buffer.isBuffer(typeReply) ? typeReply.toString('latin1') : String(typeReply);
  if (type === 'none') return;
  if (!isElementType(type))
    throw new WriteFailure(
      'denied',
      'ERR',
      'Keys of module types are deleted by UNLINK only, which this server does not have.',
    );
  const encoding = Buffer.isBuffer(encodingReply) ? encodingReply.toString('latin1') : null;
  const drainer = selectDrainer(type, encoding);
  for (let position: DrainPosition = {}, end = false; !end; ) {
    const step = await drainer.removeNext(channel, key, position, ELEMENTS);
    position = step.next;
    end = step.end;
  }
  await removeSmall(channel, key);
}
