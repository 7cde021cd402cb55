import { LENGTH_COMMANDS, MAX_KEY_BYTES, type SizedType } from '@/lib/redis/keys/length-commands';
import type { WritingChannel } from './types';
import { WriteFailure } from './write-failure';

/**
 * Reads the element count and memory of many keys of known types in one write. If the server does not support NO-TOUCH,
 * counting resets a key's idle time: then elements are counted only for keys whose memory is unknown, and TYPE is read
 * for the others. null = the key is gone or has another type now, and its facts must be read in full.
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
    // The error concerns the node (another node, a server that cannot answer), not the key.
    if (count instanceof WriteFailure && count.kind !== 'denied' && count.kind !== 'refused') throw count;
    // Both were denied: the key itself may be denied, which reading the full facts will show.
    if (count instanceof WriteFailure && memory instanceof WriteFailure) return null;
    // Collections are never empty, and empty strings are rare enough to be read in full.
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
