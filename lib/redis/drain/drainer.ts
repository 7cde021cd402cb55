import type { ArchivedKey, ElementChunk } from '@/lib/model/deletions/archive';
import type { DrainPosition } from '@/lib/model/deletions/item-journal';
import type { WritingChannel } from '@/lib/redis/write/types';

export interface DrainRead {
  /** null = an empty page, which is not the end. */
  chunk: ElementChunk | null;
  next: DrainPosition;
  /** Nothing is left to read. */
  end: boolean;
  /**
   * Set at the end of a pass by cursor: true = the key still exists, so the pass has seen every element that stayed in
   * it.
   */
  there?: boolean;
}

/** Drains keys of one type, on a private key that no other client writes. */
export interface Drainer {
  /** Called before the first read. A stream returns its ids here. */
  readFacts?(channel: WritingChannel, key: Buffer): Promise<Pick<ArchivedKey, 'stream'>>;
  /** Reads without removing: at most about `count` elements and `maxBytes`. */
  read(
    channel: WritingChannel,
    key: Buffer,
    position: DrainPosition,
    count: number,
    maxBytes: number,
  ): Promise<DrainRead>;
  /** True if `remove` returns what the server reports as removed; otherwise it returns what was requested. */
  readonly counts?: boolean;
  /**
   * Removes what was read, by absolute positions or names: repeating it changes nothing. Returns the elements removed.
   */
  remove(channel: WritingChannel, key: Buffer, chunk: ElementChunk): Promise<number>;
  /** Removes the next `count` elements without keeping a copy; cheaper than read + remove if the type allows it. */
  removeNext(
    channel: WritingChannel,
    key: Buffer,
    position: DrainPosition,
    count: number,
  ): Promise<{ removed: number; next: DrainPosition; end: boolean }>;
  /** Sends the last command: afterwards the key no longer exists. */
  finish(channel: WritingChannel, key: Buffer): Promise<void>;
}
