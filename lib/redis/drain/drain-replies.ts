import type { DrainPosition } from '@/lib/model/deletions/item-journal';
import type { Reply } from '@/lib/redis/protocol/any-reply';
import { ReplyTooLarge } from '@/lib/redis/protocol/resp-reader';
import type { Args, WritingChannel } from '@/lib/redis/write/types';
import { removeSmall } from '@/lib/redis/write/unlink-keys';
import { createUnexpectedReplyError, WriteFailure } from '@/lib/redis/write/write-failure';
import type { Drainer } from './drainer';

/**
 * Checks the shape of a reply: if it is not what the command promises, this throws instead of returning an empty list.
 */
export function toBuffers(reply: Reply): Buffer[] {
  if (!Array.isArray(reply)) throw createUnexpectedReplyError();
  return reply.map((one) => {
    if (Buffer.isBuffer(one)) return one;
    if (typeof one === 'number') return Buffer.from(String(one));
    throw createUnexpectedReplyError();
  });
}

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
  fewer.delete(buildKeyId(channel, key));
}

export const sumBytes = (values: readonly Buffer[]) => values.reduce((sum, value) => sum + value.length, 0);

/**
 * The assumed size of elements shrinks at most by this factor from page to page, because large elements often follow
 * each other.
 */
const GROWTH = 8;

export const estimateElementBytes = (
  values: readonly Buffer[],
  elements: number,
  before: number | undefined,
  maxBytes: number,
): number | undefined =>
  elements === 0 ? before : Math.max(sumBytes(values) / elements, (before ?? maxBytes) / GROWTH);

/** The most elements of a page, for keys of which a page was too large for the connection. Forgotten with the key. */
const fewer = new Map<string, number>();
/** Identifies a key on a server, for facts that are kept longer than one run. */
export const buildKeyId = (channel: WritingChannel, key: Buffer) =>
  `${channel.address} ${channel.db} ${key.toString('latin1')}`;

export const limitPage = (channel: WritingChannel, key: Buffer, wanted: number): number =>
  Math.min(wanted, fewer.get(buildKeyId(channel, key)) ?? wanted);

/**
 * Requests a page of `n` elements. A reply above the limit ends the connection and has changed nothing; the next
 * attempt requests fewer. An element that is too large by itself would be requested forever, so it is refused.
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
    fewer.set(buildKeyId(channel, key), Math.max(1, Math.floor(n / GROWTH)));
    throw error;
  }
}

/**
 * The most bytes removed without a copy in one command. They are freed within that command; this much does not show in
 * the probe latency.
 */
export const REMOVED_AT_ONCE_BYTES = 8 * 1024 * 1024;

/** Removes without a copy if the elements cannot be measured first: it removes what it read and drops the copy. */
export async function removeAsRead(
  drainer: Drainer,
  channel: WritingChannel,
  key: Buffer,
  position: DrainPosition,
  wanted: number,
): ReturnType<Drainer['removeNext']> {
  const read = await drainer.read(channel, key, position, wanted, 1024 * 1024);
  const removed = read.chunk ? await drainer.remove(channel, key, read.chunk) : 0;
  return { removed, next: read.next, end: read.end };
}
