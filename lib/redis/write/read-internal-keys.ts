import { type InternalKeyKind, parseInternalKeyName } from '@/lib/redis/keys/internal-key-name';
import { readFactsOfKeys } from './read-key-facts';
import type { WritingChannel } from './types';
import { createUnexpectedReplyError } from './write-failure';

export interface InternalKeys {
  found: { name: Buffer; kind: InternalKeyKind; deletionId: string; seq: number; type: string; bytes: number | null }[];
  /** Opaque; '0' = the end. */
  cursor: string;
}

/**
 * Reads one page of SCAN for internal keys, with type and size of each. Writes nothing. `count` bounds the server's
 * work.
 */
export async function readInternalKeys(channel: WritingChannel, cursor: string, count: number): Promise<InternalKeys> {
  const page = await channel.call(['SCAN', cursor, 'MATCH', 'colonnade:*:{*}:*', 'COUNT', String(count)]);
  const [next, names] = Array.isArray(page) ? page : [];
  // A malformed reply must not be taken for the end: that would mean that there are no internal keys.
  if (!Buffer.isBuffer(next) || !/^\d{1,20}$/.test(next.toString('latin1')) || !Array.isArray(names))
    throw createUnexpectedReplyError();
  const internal = names.flatMap((name) => {
    const parsed = Buffer.isBuffer(name) ? parseInternalKeyName(name) : null;
    return parsed && Buffer.isBuffer(name) ? [{ name, ...parsed }] : [];
  });
  const facts = await readFactsOfKeys(
    channel,
    internal.map(({ name }) => name),
  );
  return {
    found: internal.flatMap((one, index) => {
      const { type, bytes } = facts[index] ?? {};
      return type ? [{ ...one, type, bytes: bytes ?? null }] : [];
    }),
    cursor: next.toString('latin1'),
  };
}
