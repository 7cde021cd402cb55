import type { ArchivedKey, ElementChunk } from '@/lib/model/archive';
import type { Reply } from './resp-any-reply';

/**
 * The seams of writing to Redis. A writing channel never resends, never reconnects; what the server refuses comes as a
 * WriteFailure whose kind says what may be done next.
 */
export type Args = readonly (string | Buffer)[];

export interface WritingChannel {
  readonly address: string;
  readonly db: number;
  /** One command, awaited. Error replies and losses are thrown as WriteFailure. */
  call(args: Args): Promise<Reply>;
  /** Several in one write; each answer is a value, error replies too (as WriteFailure values). Losses are thrown. */
  callAll(commands: readonly Args[]): Promise<(Reply | Error)[]>;
  /** Since it was opened. `lastMs`: from write to reply of the last call. */
  readonly stats: { commands: number; bytesSent: number; bytesReceived: number; worstMs: number; lastMs: number };
  /** What the server may still take; absent: nobody looked. */
  readonly memory?: MemoryRoom;
  close(): void;
}

/** Bytes below `maxmemory`, and whether keys of others go when they are used up. */
export interface ServerRoom {
  bytes: number;
  evicts: boolean;
}

/** What a node may still take, as it said last and as was written since. */
export interface MemoryRoom {
  see(state: { maxMemory: number | null; usedMemory: number | null; evictionPolicy: string | null }): void;
  /** null: no limit, or the server does not tell. */
  room(): ServerRoom | null;
  /** Whether so much can be added and something is left. */
  takes(bytes: number): boolean;
  spend(bytes: number): void;
}

/**
 * moved/ask: another node serves the slot · passing: TRYAGAIN CLUSTERDOWN LOADING MASTERDOWN BUSY NOREPLICAS MISCONF:
 * wait and try again · not_master: READONLY · out_of_memory · denied: NOPERM or unknown command · wrong_type: WRONGTYPE
 * or CROSSSLOT, an invariant is broken · unknown_outcome: the connection was lost or timed out after sending: look
 * before doing anything again · refused: any other error reply.
 */
export type FailureKind =
  | 'moved'
  | 'ask'
  | 'passing'
  | 'not_master'
  | 'out_of_memory'
  | 'denied'
  | 'wrong_type'
  | 'unknown_outcome'
  | 'refused';

/** Where a drain stands: JSON, kept in the journal. Each drainer reads its own fields. */
export interface DrainPosition {
  /** HSCAN/SSCAN cursor, opaque. '0' at the start. */
  cursor?: string;
  /** hash, set: the pass over the key; a second looks for what the first may have missed. */
  pass?: number;
  /** zset, list: elements before this rank or index are still to be read. string: bytes read so far. */
  at?: number;
  /** stream: the next id to read. */
  id?: string;
  /** What the next element takes as far as one knows, bytes: large values are read alone. Absent: nobody knows yet. */
  each?: number;
  end?: boolean;
}

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
  shed(
    channel: WritingChannel,
    key: Buffer,
    position: DrainPosition,
    count: number,
  ): Promise<{ removed: number; next: DrainPosition; end: boolean }>;
  /** The last command: the key no longer exists afterwards. */
  finish(channel: WritingChannel, key: Buffer): Promise<void>;
}

/** How one type is built again, on a private key that nobody else reads. */
export interface Restorer {
  /**
   * In the order that the archive gives after sorting by `start` (lists, strings) or as written. Idempotent per chunk.
   */
  write(channel: WritingChannel, key: Buffer, chunk: ElementChunk): Promise<void>;
  /** After the last chunk: stream ids and groups. Returns the ids of what was pending and cannot be any more. */
  finish?(channel: WritingChannel, key: Buffer, archived: ArchivedKey, groups: ElementChunk | null): Promise<string[]>;
  /** After the count: gives elements their own expiries again. What has passed meanwhile goes at once. */
  expire?(channel: WritingChannel, key: Buffer, chunk: ElementChunk): Promise<void>;
  /** Elements the key has now (bytes of a string). */
  count(channel: WritingChannel, key: Buffer): Promise<number>;
}

/** Facts of a key just before we act; null = unknown. `type` null = there is no such key. */
export interface KeyLook {
  /** The clock of the server when it was looked at, epoch ms; null = not told. */
  at: number | null;
  type: string | null;
  encoding: string | null;
  length: number | null;
  bytes: number | null;
  /** By the clock of the server, epoch ms. */
  expireAt: number | null;
  expiryKnown: boolean;
  idleSeconds: number | null;
}
