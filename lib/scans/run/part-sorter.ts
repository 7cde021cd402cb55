import { log } from '@/lib/log';
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
  ) {}

  /** These parts stand in the checkpoint that was just saved. */
  saved(parts: readonly string[]): void {
    if (this.finished || this.current !== null || this.stop.signal.aborted || this.keys > MAX_KEYS) return;
    const part = inSequence(parts).find((one) => !this.taken.has(one));
    if (part === undefined) return;
    this.taken.add(part);
    this.current = sortPart(this.dir, part, this.stop.signal)
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

  private get keys(): number {
    return this.checkpoint.partitions.reduce((sum, { keys }) => sum + keys, 0);
  }
}
