import type { Reply } from '@/lib/redis/protocol/any-reply';
import type { RefusalKind } from '@/lib/redis/protocol/classify-refusal';

export type Args = readonly (string | Buffer)[];

/** The connection to one database of a node on which keys are changed; see `openWritingChannel`. */
export interface WritingChannel {
  readonly address: string;
  readonly db: number;
  /** Sends one command and awaits it. Error replies and losses are thrown as WriteFailure. */
  call(args: Args): Promise<Reply>;
  /**
   * Sends several commands in one write. Each answer is a value, error replies too (as WriteFailure). Losses are
   * thrown.
   */
  callAll(commands: readonly Args[]): Promise<(Reply | Error)[]>;
  /** Sends one command whose reply is a long array: `onElement` gets each element as it arrives, and none is kept. */
  callEach(args: Args, onElement: (element: Reply) => void): Promise<void>;
  /**
   * Totals since it was opened. Times in ms, from write to reply: `lastMs` of the last call, `bestMs` of the quickest
   * one (null before the first), `answerMs` the sum of all. The object also identifies the connection: the node
   * executor gives its users other channels that share it, so what is known about a connection is kept by `stats`.
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
  /** True if CLIENT NO-TOUCH is on, so that reading does not reset idle times. Absent = it was not requested. */
  readonly noTouch?: boolean;
  /** The memory that the server still has; absent = it is not watched. */
  readonly memory?: NodeMemory;
  close(): void;
}

/** Bytes left below `maxmemory`, and whether the server evicts other keys when they are used up. */
export interface Headroom {
  bytes: number;
  evicts: boolean;
}

/** The memory that a node still has: its last report minus what was written since. */
export interface NodeMemory {
  observe(state: { maxMemory: number | null; usedMemory: number | null; evictionPolicy: string | null }): void;
  /** null = there is no limit, or the server does not report it. */
  getHeadroom(): Headroom | null;
  /** Whether this many bytes can be added so that the reserve is still left. */
  hasRoomFor(bytes: number): boolean;
  spend(bytes: number): void;
}

/**
 * The kind of an error reply, or unknown_outcome: the connection was lost or timed out after sending, so the state must
 * be read before anything is repeated. wrong_type means that an invariant is violated.
 */
export type FailureKind = RefusalKind | 'unknown_outcome';

/** The facts of a key just before it is changed; null = unknown. `type` null = there is no such key. */
export interface KeyFacts {
  /** The server's clock when the facts were read, epoch ms; null = not known. */
  at: number | null;
  type: string | null;
  encoding: string | null;
  length: number | null;
  bytes: number | null;
  /** Epoch ms by the server's clock. */
  expireAt: number | null;
  expiryKnown: boolean;
  idleSeconds: number | null;
}
