import { LENGTH_COMMANDS, MAX_KEY_BYTES, type SizedType } from '@/lib/redis/keys/length-commands';
import type { WritingChannel } from './types';
import { WriteFailure } from './write-failure';

/**
 * Elements and memory of many keys whose types are known, in one write. Counting renews the idle time of a key where
 * the server knows no NO-TOUCH: there elements are counted of keys whose memory nobody knows, and the type is asked of
 * the others. null: gone, or of another type now: to be looked at whole.
 */
export async function countKeys(
  channel: WritingChannel,
  keys: readonly { name: Buffer; type: SizedType; bytes: number | null }[],
): Promise<({ length: number | null; bytes: number | null } | null)[]> {
  if (keys.length === 0) return [];
  const answers = await channel.callAll(
    keys.flatMap((key) => [
      ['MEMORY', 'USAGE', key.name],
      [isCounted(channel, key) ? LENGTH_COMMANDS[key.type] : 'TYPE', key.name],
    ]),
  );
  return keys.map((key, index) => {
    const [memory, count] = [answers[index * 2], answers[index * 2 + 1]];
    if (count instanceof WriteFailure && count.kind === 'wrong_type') return null;
    // Another node, a server that cannot answer: not a fact about the key.
    if (count instanceof WriteFailure && count.kind !== 'denied' && count.kind !== 'refused') throw count;
    // Denied both: the key itself may be, which the whole look tells.
    if (count instanceof WriteFailure && memory instanceof WriteFailure) return null;
    // No collection is empty, and an empty string is rare enough to be looked at.
    if (memory === null || count === 0) return null;
    if (!isCounted(channel, key) && String(count) !== key.type) return null;
    return {
      length: typeof count === 'number' && count >= 0 ? count : null,
      bytes: typeof memory === 'number' && memory > 0 && memory <= MAX_KEY_BYTES ? memory : null,
    };
  });
}

const isCounted = ({ noTouch }: WritingChannel, { bytes }: { bytes: number | null }): boolean =>
  noTouch === true || bytes === null;
