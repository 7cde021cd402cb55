import type { ScanBatch } from './scan-batch';

/**
 * A bounded queue of pages between the reader, which tries to keep the server busy, and the consumer that stores them.
 * The reader waits when `capacity` pages are ready, so memory stays flat however slow the disk is.
 */
export class ScanBatchQueue {
  private readonly ready: ScanBatch[] = [];
  private ended = false;
  private failure: { error: unknown } | null = null;
  private wakeReader: (() => void) | null = null;
  private wakeTaker: (() => void) | null = null;

  constructor(private readonly capacity: number) {}

  async put(batch: ScanBatch): Promise<void> {
    this.ready.push(batch);
    this.wakeTaker?.();
    while (this.ready.length >= this.capacity && !this.ended) {
      await new Promise<void>((resolve) => {
        this.wakeReader = resolve;
      });
    }
  }

  end(failure?: { error: unknown }): void {
    this.ended = true;
    this.failure ??= failure ?? null;
    this.wakeTaker?.();
    this.wakeReader?.();
  }

  /**
   * Returns the next page, or null at the end. Pages that were complete before a failure are returned before it is
   * thrown.
   */
  async take(): Promise<ScanBatch | null> {
    for (;;) {
      const batch = this.ready.shift();
      if (batch !== undefined) {
        this.wakeReader?.();
        return batch;
      }
      if (this.failure) throw this.failure.error;
      if (this.ended) return null;
      await new Promise<void>((resolve) => {
        this.wakeTaker = resolve;
      });
    }
  }
}
