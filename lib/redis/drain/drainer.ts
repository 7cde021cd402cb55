import type { ArchivedKey, ElementChunk } from '@/lib/model/deletions/archive';
import type { DrainPosition } from '@/lib/model/deletions/item-journal';
import type { WritingChannel } from '@/lib/redis/write/types';

export interface DrainRead {
  /** null: an empty page; not the end. */
  chunk: ElementChunk | null;
  next: DrainPosition;
  /** Nothing is left to read. */
  end: boolean;
  /** At the end of a pass by cursor: the key is still there, so the pass has seen all that stayed in it. */
  there?: boolean;
}

/** How one type is emptied, on a private key that nobody else writes. */
export interface Drainer {
  /** Before the first read. Streams tell their ids here. */
  facts?(channel: WritingChannel, key: Buffer): Promise<Pick<ArchivedKey, 'stream'>>;
  /** Looks only: at most about `count` elements and `maxBytes`. */
  read(
    channel: WritingChannel,
    key: Buffer,
    position: DrainPosition,
    count: number,
    maxBytes: number,
  ): Promise<DrainRead>;
  /** What `remove` returns is what the server says it removed; elsewhere it is what was asked for. */
  readonly counts?: boolean;
  /** Removes what was read, in absolute forms: doing it twice is as good as once. Returns the elements removed. */
  remove(channel: WritingChannel, key: Buffer, chunk: ElementChunk): Promise<number>;
  /** Removes the next `count` elements without keeping a copy; cheaper than read + remove where the type allows. */
  removeNext(
    channel: WritingChannel,
    key: Buffer,
    position: DrainPosition,
    count: number,
  ): Promise<{ removed: number; next: DrainPosition; end: boolean }>;
  /** The last command: the key no longer exists afterwards. */
  finish(channel: WritingChannel, key: Buffer): Promise<void>;
}
