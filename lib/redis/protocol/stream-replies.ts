import { AppError } from '@/lib/model/errors';
import type { Reply } from './any-reply';

/** Returns the text of a string reply; the empty text for any other reply. */
export const toReplyText = (reply: Reply): string => (Buffer.isBuffer(reply) ? reply.toString('latin1') : '');

/** Converts a flat list of names and values, as XINFO returns it, to a Map. */
export function toFields(reply: Reply): Map<string, Reply> {
  const fields = new Map<string, Reply>();
  if (Array.isArray(reply))
    for (let at = 0; at + 1 < reply.length; at += 2) fields.set(toReplyText(reply[at] ?? null), reply[at + 1] ?? null);
  return fields;
}

const ENTRY_ID = /^(\d{1,20})-(\d{1,20})$/;

/**
 * Returns the next possible id of a stream entry; an id is two unsigned 64-bit numbers, `ms-seq`. Errors:
 * `redis_protocol` if the server has sent something else.
 */
export function incrementId(id: string): string {
  const [, ms, seq] = ENTRY_ID.exec(id) ?? [];
  if (ms === undefined || seq === undefined)
    throw new AppError('redis_protocol', 'The server sent a stream entry without a valid id.');
  const max = (1n << 64n) - 1n;
  return BigInt(seq) === max ? `${BigInt(ms) + 1n}-0` : `${ms}-${BigInt(seq) + 1n}`;
}
