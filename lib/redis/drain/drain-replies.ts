import type { DrainPosition } from '@/lib/model/deletions/item-journal';
import type { Reply } from '@/lib/redis/protocol/any-reply';
import { ReplyTooLarge } from '@/lib/redis/protocol/resp-reader';
import type { Args, WritingChannel } from '@/lib/redis/write/types';
import { removeSmall } from '@/lib/redis/write/unlink-keys';
import { createUnexpectedReplyError, WriteFailure } from '@/lib/redis/write/write-failure';

/**
 * Returns the strings and integers of an array reply as bytes. Any other reply throws, because as an empty list it
 * would mean that there is nothing left.
 */
export function toBuffers(reply: Reply): Buffer[] {
  if (!Array.isArray(reply)) throw createUnexpectedReplyError();
  return reply.map((one) => {
    if (Buffer.isBuffer(one)) return one;
    if (typeof one === 'number') return Buffer.from(String(one));
    throw createUnexpectedReplyError();
  });
}

/** Returns a reply that must be a count; any other reply throws. */
export function toCount(reply: Reply): number {
  if (typeof reply !== 'number' || reply < 0) throw createUnexpectedReplyError();
  return reply;
}

/** Throws if a key that nobody writes has grown: otherwise draining it would never end. */
export function assertShrinks({ at }: DrainPosition, length: number): void {
  if (at !== undefined && length > at) throw createUnexpectedReplyError();
}

export function parseScanPage(reply: Reply): { cursor: string; values: Buffer[] } {
  const [cursor, values] = Array.isArray(reply) ? reply : [];
  if (!Buffer.isBuffer(cursor) || values === undefined) throw createUnexpectedReplyError();
  return { cursor: cursor.toString('latin1'), values: toBuffers(values) };
}

/** The last step of most types. It frees in the background if the server can; little or nothing is left of the key. */
export async function unlink(channel: WritingChannel, key: Buffer): Promise<void> {
  await removeSmall(channel, key);
  pageLimits.delete(buildKeyId(channel, key));
}

export const sumBytes = (values: readonly Buffer[]) => values.reduce((sum, value) => sum + value.length, 0);

/**
 * From page to page, the assumed size of elements shrinks at most by this factor, because large elements often follow
 * each other. A page that was too large is requested again with this many times fewer elements.
 */
const GROWTH = 8;

/** Estimates the bytes of each of the next elements from those that were read; undefined = nothing is known. */
export const estimateElementBytes = (
  values: readonly Buffer[],
  elements: number,
  before: number | undefined,
  maxBytes: number,
): number | undefined =>
  elements === 0 ? before : Math.max(sumBytes(values) / elements, (before ?? maxBytes) / GROWTH);

/** The most elements of a page, for keys of which a page was too large for the connection. Forgotten with the key. */
const pageLimits = new Map<string, number>();

/** Identifies a key on a server, for facts that are kept longer than one run. */
export const buildKeyId = (channel: WritingChannel, key: Buffer) =>
  `${channel.address} ${channel.db} ${key.toString('latin1')}`;

/** Returns how many of the wanted elements a page of this key may have. */
export const limitPage = (channel: WritingChannel, key: Buffer, wanted: number): number =>
  Math.min(wanted, pageLimits.get(buildKeyId(channel, key)) ?? wanted);

/**
 * Requests a page of `n` elements. A reply above the limit ends the connection and has changed nothing; the next
 * attempt requests pageLimits. An element that is too large by itself would be requested forever, so it is refused.
 */
export const readPage = (channel: WritingChannel, key: Buffer, n: number, args: Args): Promise<Reply> =>
  withSmallerPages(channel, key, n, () => channel.call(args));

/** The same for any function that reads a page. */
export async function withSmallerPages<T>(
  channel: WritingChannel,
  key: Buffer,
  n: number,
  read: () => Promise<T>,
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof WriteFailure) || !(error.cause instanceof ReplyTooLarge)) throw error;
    if (n <= 1)
      throw new WriteFailure('refused', 'TOOLARGE', 'One element is larger than a connection takes.', { cause: error });
    pageLimits.set(buildKeyId(channel, key), Math.max(1, Math.floor(n / GROWTH)));
    throw error;
  }
}

/**
 * The most bytes removed without a copy in one command. They are freed within that command; this much does not show in
 * the probe latency.
 */
export const REMOVED_AT_ONCE_BYTES = 8 * 1024 * 1024;
