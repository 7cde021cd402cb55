import type { ArchivedKey, ElementChunk } from '@/lib/model/deletions/archive';
import type { WritingChannel } from '@/lib/redis/write/types';

/** Entries that were pending and cannot be pending again: the server does not assign a deleted entry to a consumer. */
export interface LostPending {
  rows: number;
  /** The first few of their ids. */
  ids: string[];
}

/** Rebuilds keys of one type, on a private key that no other client reads. */
export interface Restorer {
  /**
   * Writes one chunk. Chunks come sorted by `start` (lists, strings) or in the order of the archive. Repeating a chunk
   * changes nothing.
   */
  write(channel: WritingChannel, key: Buffer, chunk: ElementChunk): Promise<void>;
  /** Called after the last chunk: sets stream ids and then restores the consumer groups, page by page. */
  finish?(
    channel: WritingChannel,
    key: Buffer,
    archived: ArchivedKey,
    groups: AsyncIterable<ElementChunk>,
  ): Promise<LostPending | null>;
  /**
   * Called after the count: sets the expiries of single elements again. Elements that have expired meanwhile are
   * removed.
   */
  expire?(channel: WritingChannel, key: Buffer, chunk: ElementChunk): Promise<void>;
  /** Returns how many elements the key has now (bytes of a string). */
  count(channel: WritingChannel, key: Buffer): Promise<number>;
}

/** The part of a restorer that differs by type. */
export type TypeRestorer = Omit<Restorer, 'count'>;
