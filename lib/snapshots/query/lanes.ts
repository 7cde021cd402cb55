import type { DuckDBConnection } from '@duckdb/node-api';
import { AppError } from '@/lib/model/errors';

/**
 * A kind of work with connections of its own, so that one kind cannot block another. A slow download holds its
 * connection as long as its reader likes, an evaluation for minutes, a report for seconds. People wait at most
 * `maxWaitMs` and then get `busy` with the time to retry; jobs wait without limit (null).
 */
export type Lane = 'ask' | 'heavy' | 'small' | 'export' | 'work' | 'seal';

const LANES: Record<Lane, { connections: number; maxWaitMs: number | null; maxWaiting: number }> = {
  /** Reports and lists. */
  ask: { connections: 4, maxWaitMs: 10_000, maxWaiting: 64 },
  /**
   * Reports over tens of millions of keys, one at a time, because the memory that each uses outside the database's own
   * limit would add up. A waiting report waits for one other, which takes as long as a query may.
   */
  heavy: { connections: 1, maxWaitMs: 30_000, maxWaiting: 16 },
  /**
   * Queries of a few rows in memory, also in the middle of a report or an evaluation. They have their own lane: reports
   * that each hold a connection and need a second one would otherwise wait for each other.
   */
  small: { connections: 2, maxWaitMs: 10_000, maxWaiting: 256 },
  /** Downloads. */
  export: { connections: 3, maxWaitMs: 10_000, maxWaiting: 16 },
  /** Evaluating, roll-ups, choosing the keys of a plan. */
  work: { connections: 4, maxWaitMs: null, maxWaiting: Number.POSITIVE_INFINITY },
  /** Sealing, one snapshot at a time: each takes all the memory that sorting has. */
  seal: { connections: 1, maxWaitMs: null, maxWaiting: Number.POSITIVE_INFINITY },
};
export const LANE_NAMES = Object.keys(LANES) as Lane[];
const RETRY_AFTER_SECONDS = 5;

export class LanePool {
  private readonly idle: DuckDBConnection[] = [];
  /** Waiting callers: the function that gives one a connection → the function that refuses it. */
  private readonly waiting = new Map<(connection: DuckDBConnection) => void, (error: AppError) => void>();
  private open = 0;
  private isRetired = false;

  constructor(
    private readonly lane: Lane,
    private readonly connect: () => Promise<DuckDBConnection>,
  ) {}

  /**
   * Borrows a connection. Errors: `busy` when the wait was too long, too many wait, or the database has ended; the
   * signal's reason when it is aborted.
   */
  async borrow(signal?: AbortSignal): Promise<DuckDBConnection> {
    signal?.throwIfAborted();
    if (this.isRetired) throw createBusyError(this.lane);
    const idle = this.idle.pop();
    if (idle) return idle;
    const { connections, maxWaitMs, maxWaiting } = LANES[this.lane];
    if (this.open < connections) {
      this.open++;
      return this.connect().catch((error) => {
        this.open--;
        throw error;
      });
    }
    if (this.waiting.size >= maxWaiting) throw createBusyError(this.lane);
    return new Promise((resolve, reject) => {
      const settle = (act: () => void) => {
        this.waiting.delete(take);
        clearTimeout(timer);
        signal?.removeEventListener('abort', leaveQueue);
        act();
      };
      const take = (connection: DuckDBConnection) => settle(() => resolve(connection));
      const leaveQueue = () => settle(() => reject(signal?.reason));
      const refuse = (error: AppError) => settle(() => reject(error));
      const timer = maxWaitMs === null ? undefined : setTimeout(() => refuse(createBusyError(this.lane)), maxWaitMs);
      signal?.addEventListener('abort', leaveQueue, { once: true });
      this.waiting.set(take, refuse);
    });
  }

  /**
   * Ends the pool after its database has ended: waiting callers are refused, and borrowed connections are closed when
   * they are returned.
   */
  retire(): void {
    this.isRetired = true;
    for (const refuse of this.waiting.values()) refuse(createBusyError(this.lane));
    for (const connection of this.idle.splice(0)) connection.disconnectSync();
  }

  giveBack(connection: DuckDBConnection): void {
    if (this.isRetired) {
      connection.disconnectSync();
      return;
    }
    const [next] = this.waiting.keys();
    if (next) next(connection);
    else this.idle.push(connection);
  }
}

const createBusyError = (lane: Lane) =>
  new AppError(
    'busy',
    lane === 'export'
      ? 'Too many downloads are open. Let one of them end, then try again.'
      : 'Too many questions are being answered. Try again in a moment.',
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
