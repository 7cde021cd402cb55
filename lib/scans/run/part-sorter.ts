import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { log } from '@/lib/log';
import type { BigkeyThresholds } from '@/lib/model/keys/bigkey-thresholds';
import { inSequence } from '@/lib/snapshots/folder/folder';
import { sortPart } from '@/lib/snapshots/seal/sort-part';
import type { ScanCheckpoint } from './scan-checkpoint';
import type { ScanHooks } from './scan-hooks';

/** Larger scans take minutes to seal, and larger runs than one part take less time in all. */
const MAX_KEYS = 2_100_000;
/** Behind these no part is sorted before sealing. */
const MAX_FAILURES = 2;
/** A part takes a second or two. A process that hangs must not hold up sealing, which can do without. */
const FINISH_MS = 15_000;

/**
 * Sorts the parts of a scan while it reads on: the server answers with one processor, so there is time. Only parts that
 * a saved checkpoint names, because a part that none does is read again under its name. What it does not come to is
 * done when sealing.
 */
export class PartSorter {
  private readonly stop = new AbortController();
  private readonly taken = new Set<string>();
  /** By the checkpoint that was saved last. */
  private named: readonly string[] = [];
  private current: Promise<void> | null = null;
  private finished = false;
  private failures = 0;

  constructor(
    private readonly dir: string,
    private readonly checkpoint: ScanCheckpoint,
    private readonly bigkeys: BigkeyThresholds,
  ) {}

  /** These parts stand in the checkpoint that was just saved. */
  saved(parts: readonly string[]): void {
    this.named = parts;
    if (this.finished || this.current !== null || this.stop.signal.aborted || this.keys > MAX_KEYS) return;
    const part = inSequence(parts).find((one) => !this.taken.has(one));
    if (part === undefined) return;
    this.taken.add(part);
    this.current = this.sort(part)
      .catch((error) => this.failed(part, error))
      .then((goesOn) => {
        this.current = null;
        if (goesOn) this.saved(this.named);
        else this.taken.delete(part);
      });
  }

  /** false: another one's turn. */
  private async sort(part: string): Promise<boolean> {
    const { dir, bigkeys, stop } = this;
    return sortPart(dir, part, { bigkeys, signal: stop.signal });
  }

  /** Whether to go on with the next one. */
  private async failed(part: string, error: unknown): Promise<boolean> {
    if (this.stop.signal.aborted) return false;
    // Dropped meanwhile, to be read again.
    if (!(await isThere(join(this.dir, part)))) return true;
    log().warn({ err: error, part }, 'scan.sort_part_failed');
    if (++this.failures < MAX_FAILURES) return true;
    this.stop.abort();
    return false;
  }

  /**
   * Begins no further one and waits for the one in hand: sealing would have to do it again. Not for ever, and not when
   * the scan is to stop or is another run's.
   */
  async finish({ stopped, signal }: Pick<ScanHooks, 'stopped' | 'signal'>): Promise<void> {
    this.finished = true;
    if (this.current === null) return;
    const abort = () => this.stop.abort();
    const timer = setTimeout(abort, FINISH_MS);
    signal.addEventListener('abort', abort, { once: true });
    void stopped.then(abort);
    if (signal.aborted) abort();
    try {
      await this.current;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    }
  }

  /** Ends the one in hand too. */
  async abort(): Promise<void> {
    this.stop.abort();
    await this.current;
  }

  private get keys(): number {
    return this.checkpoint.partitions.reduce((sum, { keys }) => sum + keys, 0);
  }
}

const isThere = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  );
