import { AppError } from '@/lib/model/errors';

export interface ScanBounds {
  /** How many names may be seen in all. */
  keys: number;
  /** The largest sum of COUNT over all pages: it ends a scan of endless empty pages. */
  work: number;
}

/**
 * Computes bounds that are generous for a keyspace that grows while it is read, and finite for a server that never
 * returns cursor 0. null = the number of keys is not known, so only the work is bounded.
 */
export function computeScanBounds(keysAtStart: number | null): ScanBounds {
  if (keysAtStart === null) return { keys: Number.POSITIVE_INFINITY, work: 2 ** 34 };
  const keys = 20 * keysAtStart + 1_000_000;
  return { keys, work: Math.max(2 ** 28, 64 * keys) };
}

/**
 * Checks that a sequence of cursors comes to an end. The cursor of SCAN never returns to an earlier value, so a cursor
 * seen twice means a loop. Brent's method finds it while remembering only one cursor.
 */
export class ScanGuard {
  private keys = 0;
  private work = 0;
  /** The cursor that later ones are compared with. After `power` steps the present one takes its place. */
  private remembered: string;
  private steps = 0;
  private power = 1;

  constructor(
    private readonly bounds: ScanBounds,
    start: string,
  ) {
    this.remembered = start;
  }

  /** Restarts at a cursor on purpose; the totals are kept. */
  restart(cursor: string): void {
    this.remembered = cursor;
    this.steps = 0;
    this.power = 1;
  }

  /**
   * Adds a page: the cursor that follows it, its number of keys, and its COUNT. Throws `redis_protocol` if the scan
   * would not end.
   */
  addPage(cursor: string, keys: number, count: number): void {
    this.keys += keys;
    this.work += count;
    if (cursor === '0') return;
    if (cursor === this.remembered) {
      throw new AppError('redis_protocol', 'The server repeats a cursor of SCAN: the scan would never end.', {
        cursor,
      });
    }
    if (this.keys > this.bounds.keys || this.work > this.bounds.work) {
      throw new AppError('redis_protocol', 'SCAN goes on far beyond the number of keys the server has.', {
        keys: this.keys,
        cursor,
      });
    }
    if (++this.steps === this.power) {
      this.remembered = cursor;
      this.power *= 2;
      this.steps = 0;
    }
  }
}
