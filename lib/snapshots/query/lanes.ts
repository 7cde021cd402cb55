import type { DuckDBConnection } from '@duckdb/node-api';
import { AppError } from '@/lib/model/errors';

/**
 * Connections by what they are for, so that one kind of work cannot take them from another: a download that nobody
 * reads holds its connection for as long as the reader likes, an evaluation for minutes, a report for seconds. People
 * do not wait for long (`busy` says when to come again); jobs wait for their turn.
 */
export type Lane = 'ask' | 'heavy' | 'small' | 'export' | 'work' | 'seal';

const LANES: Record<Lane, { connections: number; maxWaitMs: number | null; maxWaiting: number }> = {
  /** Reports and lists. */
  ask: { connections: 4, maxWaitMs: 10_000, maxWaiting: 64 },
  /**
   * Reports that pass over tens of millions of keys, one at a time: what each holds beside the database's own limit
   * would add up. Whoever waits waits for one of them, which takes as long as a question may.
   */
  heavy: { connections: 1, maxWaitMs: 30_000, maxWaiting: 16 },
  /**
   * A few rows in memory, also in the middle of a report or an evaluation: a lane of its own, or they would wait for
   * each other.
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
  /** How each is served, and how it is refused. */
  private readonly waiting = new Map<(connection: DuckDBConnection) => void, (error: AppError) => void>();
  private open = 0;
  private isRetired = false;

  constructor(
    private readonly lane: Lane,
    private readonly connect: () => Promise<DuckDBConnection>,
  ) {}

  /** Errors: `busy` when the wait was too long; the signal's reason when the asker has gone. */
  async borrow(signal?: AbortSignal): Promise<DuckDBConnection> {
    signal?.throwIfAborted();
    if (this.isRetired) throw busy(this.lane);
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
    if (this.waiting.size >= maxWaiting) throw busy(this.lane);
    return new Promise((resolve, reject) => {
      const settle = (act: () => void) => {
        this.waiting.delete(take);
        clearTimeout(timer);
        signal?.removeEventListener('abort', left);
        act();
      };
      const take = (connection: DuckDBConnection) => settle(() => resolve(connection));
      const left = () => settle(() => reject(signal?.reason));
      const refuse = (error: AppError) => settle(() => reject(error));
      const timer = maxWaitMs === null ? undefined : setTimeout(() => refuse(busy(this.lane)), maxWaitMs);
      signal?.addEventListener('abort', left, { once: true });
      this.waiting.set(take, refuse);
    });
  }

  /** The database behind it is no more: whoever waits is refused, what is lent is closed when it comes back. */
  retire(): void {
    this.isRetired = true;
    for (const refuse of this.waiting.values()) refuse(busy(this.lane));
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

const busy = (lane: Lane) =>
  new AppError(
    'busy',
    lane === 'export'
      ? 'Too many downloads are open. Let one of them end, then try again.'
      : 'Too many questions are being answered. Try again in a moment.',
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
