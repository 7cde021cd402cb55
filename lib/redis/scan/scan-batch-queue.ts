import type { ScanBatch } from './scan-batch';

/**
 * Pages between the reader, which wants to keep the server busy, and whoever stores them. Bounded: the reader waits
 * when that many pages lie ready, so memory stays flat however slow the disk is.
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

  /** Next page, or null at the end. Pages that were whole before a failure are handed out first. */
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
