import { AppError } from '@/lib/model/errors';

export interface Pace {
  /** Of waiting for the reader; what we take ourselves does not count, ms. */
  windowMs: number;
  /** So much has to be taken in each window. */
  minBytes: number;
}

/** About 17 KB a second: less is no download, and would hold a place of three for ever by a piece now and then. */
export const MIN_PACE: Pace = { windowMs: 120_000, minBytes: 2 * 1024 * 1024 };

/** Judges a reader that takes something again and again, but too little. */
export class ReaderPace {
  private waitedMs = 0;
  private bytes = 0;

  constructor(private readonly pace: Pace = MIN_PACE) {}

  /** A piece was taken after so long. Throws `too_large` when the window that ends with it held too little. */
  took(bytes: number, waitedMs: number): void {
    this.bytes += bytes;
    this.waitedMs += waitedMs;
    if (this.waitedMs < this.pace.windowMs) return;
    if (this.bytes < this.pace.minBytes)
      throw new AppError('too_large', 'The reader took too little for too long, so the download was ended.');
    this.bytes = 0;
    this.waitedMs = 0;
  }
}
