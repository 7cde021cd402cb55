import { log } from '@/lib/log';
import type { BigkeyThresholds } from '@/lib/model/keys/bigkey-thresholds';
import { offloadSort } from '@/lib/offload/offload';
import { inSequence } from '@/lib/snapshots/folder/folder';
import { sortPart } from '@/lib/snapshots/seal/sort-part';
import type { ScanCheckpoint } from './scan-checkpoint';

/** Of larger scans sealing is a matter of minutes, and a process of its own has the memory for larger runs. */
const MAX_KEYS = 2_100_000;

/**
 * Sorts the parts of a scan while it reads on: the server answers with one processor, so there is time. Only parts that
 * a saved checkpoint names, because a part that none does is read again under its name. What it does not come to is
 * done when sealing.
 */
export class PartSorter {
  private readonly stop = new AbortController();
  private readonly taken = new Set<string>();
  private current: Promise<void> | null = null;
  private finished = false;

  constructor(
    private readonly dir: string,
    private readonly checkpoint: ScanCheckpoint,
    private readonly bigkeys: BigkeyThresholds,
  ) {}

  /** These parts stand in the checkpoint that was just saved. */
  saved(parts: readonly string[]): void {
    if (this.finished || this.current !== null || this.stop.signal.aborted || this.keys > MAX_KEYS) return;
    const part = inSequence(parts).find((one) => !this.taken.has(one));
    if (part === undefined) return;
    this.taken.add(part);
    this.current = this.sort(part)
      .catch((error) => {
        if (this.stop.signal.aborted) return false;
        this.stop.abort();
        log().warn({ err: error, part }, 'scan.sort_part_failed');
        return false;
      })
      .then((sorted) => {
        this.current = null;
        if (sorted) this.saved(parts);
        else this.taken.delete(part);
      });
  }

  /** false: another one's turn. */
  private async sort(part: string): Promise<boolean> {
    const { dir, bigkeys, stop } = this;
    const { signal } = stop;
    const done = await offloadSort({ kind: 'sort-part', dir, part, bigkeys }, { keys: this.expectedKeys, signal });
    if (done === null) return sortPart(dir, part, { bigkeys, signal });
    return done !== 'busy';
  }

  /** Begins no further one and waits for the one in hand: sealing would have to do it again. */
  async finish(): Promise<void> {
    this.finished = true;
    await this.current;
  }

  /** Ends the one in hand too. */
  async abort(): Promise<void> {
    this.stop.abort();
    await this.current;
  }

  private get expectedKeys(): number {
    return this.checkpoint.partitions.reduce((sum, { keys, keysAtStart }) => sum + Math.max(keys, keysAtStart ?? 0), 0);
  }

  private get keys(): number {
    return this.checkpoint.partitions.reduce((sum, { keys }) => sum + keys, 0);
  }
}
