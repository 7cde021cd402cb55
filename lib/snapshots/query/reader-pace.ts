import { AppError } from '@/lib/model/errors';

export interface Pace {
  /** Length of a window in ms. Only time spent waiting for the reader counts, not the time that the server takes. */
  windowMs: number;
  /** Bytes that the reader has to take in each window. */
  minBytes: number;
}

/**
 * About 17 KB per second. A slower reader would hold one of three connections forever by taking a piece now and then.
 */
export const MIN_PACE: Pace = { windowMs: 120_000, minBytes: 2 * 1024 * 1024 };

/** Measures the pace of a reader, to end downloads that take something again and again, but too little. */
export class ReaderPace {
  private waitedMs = 0;
  private bytes = 0;

  constructor(private readonly pace: Pace = MIN_PACE) {}

  /**
   * Records that the reader took `bytes` after `waitedMs`. Errors: `too_large` when the window that ends now had too
   * few bytes.
   */
  recordTaken(bytes: number, waitedMs: number): void {
    this.bytes += bytes;
    this.waitedMs += waitedMs;
    if (this.waitedMs < this.pace.windowMs) return;
    if (this.bytes < this.pace.minBytes)
      throw new AppError('too_large', 'The reader took too little for too long, so the download was ended.');
    this.bytes = 0;
    this.waitedMs = 0;
  }
}
