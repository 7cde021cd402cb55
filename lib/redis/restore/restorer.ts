import type { ArchivedKey, ElementChunk } from '@/lib/model/deletions/archive';
import type { WritingChannel } from '@/lib/redis/write/types';

/** What was pending and cannot be any more, because the server gives no such entry to a consumer again. */
export interface LostPending {
  rows: number;
  /** The first few of them. */
  ids: string[];
}

/** How one type is built again, on a private key that nobody else reads. */
export interface Restorer {
  /**
   * In the order that the archive gives after sorting by `start` (lists, strings) or as written. Idempotent per chunk.
   */
  write(channel: WritingChannel, key: Buffer, chunk: ElementChunk): Promise<void>;
  /** After the last chunk: stream ids, and then its consumer groups, page by page. */
  finish?(
    channel: WritingChannel,
    key: Buffer,
    archived: ArchivedKey,
    groups: AsyncIterable<ElementChunk>,
  ): Promise<LostPending | null>;
  /** After the count: gives elements their own expiries again. What has passed meanwhile goes at once. */
  expire?(channel: WritingChannel, key: Buffer, chunk: ElementChunk): Promise<void>;
  /** Elements the key has now (bytes of a string). */
  count(channel: WritingChannel, key: Buffer): Promise<number>;
}
