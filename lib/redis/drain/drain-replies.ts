import type { DrainPosition } from '@/lib/model/deletions/item-journal';
import type { Reply } from '@/lib/redis/protocol/any-reply';
import { ReplyTooLarge } from '@/lib/redis/protocol/resp-reader';
import type { Args, WritingChannel } from '@/lib/redis/write/types';
import { removeSmall } from '@/lib/redis/write/unlink-keys';
import { oddReply, WriteFailure } from '@/lib/redis/write/write-failure';
import type { Drainer } from './drainer';

/** Foreign shapes stop here: a reply that is not what the command promises is a failure, never an empty list. */
export function buffers(reply: Reply): Buffer[] {
  if (!Array.isArray(reply)) throw oddReply();
  return reply.map((one) => {
    if (Buffer.isBuffer(one)) return one;
    if (typeof one === 'number') return Buffer.from(String(one));
    throw oddReply();
  });
}

export function count(reply: Reply): number {
  if (typeof reply !== 'number' || reply < 0) throw oddReply();
  return reply;
}

/** What nobody writes holds no more than was left of it; else removing would never end. */
export function assertShrinks({ at }: DrainPosition, length: number): void {
  if (at !== undefined && length > at) throw oddReply();
}

export function scanPage(reply: Reply): { cursor: string; values: Buffer[] } {
  const [cursor, values] = Array.isArray(reply) ? reply : [];
  if (!Buffer.isBuffer(cursor) || values === undefined) throw oddReply();
  return { cursor: cursor.toString('latin1'), values: buffers(values) };
}

/** The last step of most types. Frees in the background where the server can; what is left is little or nothing. */
export async function unlink(channel: WritingChannel, key: Buffer): Promise<void> {
  await removeSmall(channel, key);
  fewer.delete(idOf(channel, key));
}

export const sizeOf = (values: readonly Buffer[]) => values.reduce((sum, value) => sum + value.length, 0);

/** What was large once is believed to go on so for a while: from page to page at most so many times smaller. */
const GROWTH = 8;

export const eachOf = (
  values: readonly Buffer[],
  elements: number,
  before: number | undefined,
  maxBytes: number,
): number | undefined => (elements === 0 ? before : Math.max(sizeOf(values) / elements, (before ?? maxBytes) / GROWTH));

/** Most elements of a page, for keys with a page that was more than the connection takes. Forgotten with the key. */
const fewer = new Map<string, number>();
/** Of a key on a server, for what is known of it beyond one run. */
export const idOf = (channel: WritingChannel, key: Buffer) =>
  `${channel.address} ${channel.db} ${key.toString('latin1')}`;

export const allowed = (channel: WritingChannel, key: Buffer, wanted: number): number =>
  Math.min(wanted, fewer.get(idOf(channel, key)) ?? wanted);

/**
 * Asks for a page of `n` elements. A reply above the limit costs the connection and changed nothing: the next attempt
 * asks for fewer. An element that is too large by itself would be asked for forever: that is a refusal.
 */
export const readPage = (channel: WritingChannel, key: Buffer, n: number, args: Args): Promise<Reply> =>
  withSmallerPages(channel, key, n, () => channel.call(args));

/** The same for whatever way a page is read in. */
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
    fewer.set(idOf(channel, key), Math.max(1, Math.floor(n / GROWTH)));
    throw error;
  }
}

/**
 * What is removed without a copy is freed in the command that removes it: so much at once shows in no probe latency.
 */
export const REMOVED_AT_ONCE_BYTES = 8 * 1024 * 1024;

/** Removing without a copy where nobody can look first: what was read goes, and the copy is dropped. */
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
