import type { Reply } from '@/lib/redis/protocol/any-reply';
import type { RefusalKind } from '@/lib/redis/protocol/classify-refusal';

export type Args = readonly (string | Buffer)[];

export interface WritingChannel {
  readonly address: string;
  readonly db: number;
  /** One command, awaited. Error replies and losses are thrown as WriteFailure. */
  call(args: Args): Promise<Reply>;
  /** Several in one write; each answer is a value, error replies too (as WriteFailure values). Losses are thrown. */
  callAll(commands: readonly Args[]): Promise<(Reply | Error)[]>;
  /** One command whose reply is a long array: each element is handed over as it arrives, and none is kept. */
  callEach(args: Args, take: (element: Reply) => void): Promise<void>;
  /**
   * Since it was opened. `lastMs`: from write to reply of the last call; `bestMs` of the quickest one, null before it;
   * `answerMs` of all together.
   */
  readonly stats: {
    commands: number;
    bytesSent: number;
    bytesReceived: number;
    worstMs: number;
    bestMs: number | null;
    lastMs: number;
    answerMs: number;
  };
  /** Looking renews no idle time: CLIENT NO-TOUCH was asked for and is on. Absent: it was not. */
  readonly noTouch?: boolean;
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
 * An error reply, or unknown_outcome: the connection was lost or timed out after sending: look before doing anything
 * again. wrong_type is an invariant that is broken.
 */
export type FailureKind = RefusalKind | 'unknown_outcome';

/** Facts of a key just before we act; null = unknown. `type` null = there is no such key. */
export interface KeyFacts {
  /** The clock of the server when it was looked at, epoch ms; null = not known. */
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
