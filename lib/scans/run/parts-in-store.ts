import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs } from '@/lib/backoff-ms';
import { log } from '@/lib/log';
import type { StoredFile } from '@/lib/snapshot-store/contents';
import type { ObjectStore } from '@/lib/snapshot-store/objects/object-store';
import { putScanFile } from '@/lib/snapshot-store/scan-files';
import { BESIDE } from '@/lib/snapshots/folder/beside';
import { inSequence } from '@/lib/snapshots/folder/folder';
import { MANIFEST_FILE, readManifest } from '@/lib/snapshots/folder/manifest';
import type { ScanCheckpoint } from './scan-checkpoint';

const RETRIES = { firstMs: 1_000, maxMs: 60_000 };
/** Where the store is behind, how many saved states wait for it; of more every second one is forgotten. */
const MAX_WAITING = 64;
/** What the store has come to hold is noted with the next checkpoint, or after this long without one. */
const NOTE_MS = 1_000;

export interface PartsInStoreOptions {
  store: ObjectStore;
  snapshotId: string;
  dir: string;
  /** What the scan goes on from. */
  from: ScanCheckpoint | null;
  /** Aborts when the scan is another run's. */
  signal: AbortSignal;
  /** Fenced. */
  write(checkpoint: ScanCheckpoint): Promise<void>;
}

/**
 * Where each worker has a disk of its own, parts follow the scan into the object store, one at a time, and a checkpoint
 * carries with it the newest earlier one whose parts have all arrived (`portable`): a worker with another disk goes on
 * from that. The scan waits for none of it. A store that is slow or refuses only leaves `portable` behind.
 */
export class PartsInStore {
  private readonly stored: Map<string, StoredFile>;
  private portable: ScanCheckpoint | null;
  /** Saved states of which the store lacks something, oldest first. */
  private waiting: ScanCheckpoint[] = [];
  /** The descriptions as they were when all was read: sealing writes over them. */
  private beside: Map<string, Buffer> | null = null;
  private last: ScanCheckpoint | null = null;
  private writes: Promise<unknown> = Promise.resolve();
  private uploading: Promise<void> | null = null;
  private timer: NodeJS.Timeout | undefined;
  private isFailing = false;
  private readonly stopping = new AbortController();
  private readonly signal: AbortSignal;

  constructor(private readonly options: PartsInStoreOptions) {
    const { from, signal } = options;
    this.signal = AbortSignal.any([signal, this.stopping.signal]);
    this.portable = from?.portable ?? null;
    // Of a reading that goes on, the descriptions are yet to be written.
    const known = (from?.stored ?? []).filter(({ path: file }) => from?.readingDone || file.endsWith('.parquet'));
    this.stored = new Map(known.map((file) => [file.path, file]));
  }

  /** Saves the state of now, with what is known of the store, and has its parts follow. */
  async save(state: ScanCheckpoint): Promise<void> {
    if (state.readingDone) this.beside ??= await readBeside(this.options.dir);
    await this.inTurn(async () => {
      this.remember(state);
      clearTimeout(this.timer);
      this.timer = undefined;
      // In the state itself: it is written by others too (take-nodes.ts).
      await this.options.write(Object.assign(state, this.notes()));
    });
    this.upload();
  }

  /** Uploads end; what is under way may take so long, where the store works. */
  async stop(graceMs: number): Promise<void> {
    if (this.uploading !== null && !this.isFailing && !this.signal.aborted)
      await Promise.race([this.uploading, sleep(graceMs, undefined, { ref: false })]);
    this.stopping.abort();
    await this.uploading;
    const isDue = this.timer !== undefined;
    clearTimeout(this.timer);
    this.timer = undefined;
    if (isDue) await this.writeNotes();
  }

  private remember(state: ScanCheckpoint): void {
    const saved = structuredClone({ ...state, stored: undefined, portable: undefined });
    this.last = saved;
    // What was read before slots or servers changed may miss keys that have moved since.
    const isOf = ({ restarts }: ScanCheckpoint) => restarts === saved.restarts;
    if (this.portable !== null && !isOf(this.portable)) this.portable = null;
    this.waiting = [...this.waiting.filter(isOf), saved];
    if (this.waiting.length > MAX_WAITING) this.waiting = this.waiting.filter((_, index) => index % 2 === 0);
    this.advance();
  }

  private notes(): Pick<ScanCheckpoint, 'stored' | 'portable'> {
    return { stored: [...this.stored.values()], portable: this.portable ?? undefined };
  }

  /** True when a newer state has become the portable one. */
  private advance(): boolean {
    const at = this.waiting.findLastIndex((state) => this.isWhole(state));
    if (at === -1) return false;
    this.portable = this.waiting[at]!;
    this.waiting = this.waiting.slice(at + 1);
    return true;
  }

  private isWhole(state: ScanCheckpoint): boolean {
    if (state.readingDone && this.beside === null) return false;
    // Without a part there is nothing that would have to be read again.
    return partsOf(state).length > 0 && this.filesOf(state).every((file) => this.stored.has(file));
  }

  private filesOf(state: ScanCheckpoint): string[] {
    return [...partsOf(state), ...(state.readingDone ? (this.beside?.keys() ?? []) : [])];
  }

  private due(): string | null {
    for (const state of this.waiting) {
      const file = this.filesOf(state).find((one) => !this.stored.has(one));
      if (file !== undefined) return file;
    }
    return null;
  }

  private upload(): void {
    if (this.uploading !== null || this.signal.aborted || this.due() === null) return;
    this.uploading = this.uploadAll().finally(() => {
      this.uploading = null;
      // Saved while the last one ended.
      this.upload();
    });
  }

  private async uploadAll(): Promise<void> {
    let attempts = 0;
    for (let file = this.due(); file !== null && !this.signal.aborted; file = this.due()) {
      try {
        await this.put(file);
        attempts = 0;
        this.isFailing = false;
        if (this.advance()) this.noteSoon();
      } catch (error) {
        if (this.signal.aborted) return;
        this.isFailing = true;
        const ms = backoffMs(attempts++, RETRIES);
        log().warn({ file, attempts, againInMs: Math.round(ms), err: error }, 'scan.part_not_stored');
        await sleep(ms, undefined, { signal: this.signal }).catch(() => {});
      }
    }
  }

  private async put(file: string): Promise<void> {
    const { store, snapshotId, dir } = this.options;
    const body = this.beside?.get(file) ?? (await contentOf(path.join(dir, file)));
    if (body === null) {
      // Its node is read again, or the scan is sealed: no state that names it is of use.
      this.waiting = this.waiting.filter((state) => !this.filesOf(state).includes(file));
      return;
    }
    this.stored.set(file, await putScanFile(store, snapshotId, file, body, this.signal));
  }

  private noteSoon(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      void this.writeNotes();
    }, NOTE_MS).unref();
  }

  /** The state that was saved last, once more: the one of now may be between two safe points. */
  private async writeNotes(): Promise<void> {
    try {
      await this.inTurn(async () => {
        if (this.last !== null && !this.options.signal.aborted)
          await this.options.write({ ...this.last, ...this.notes() });
      });
    } catch {
      // Whoever writes the progress of the job says why; the notes follow as soon as they can.
      if (!this.signal.aborted) this.noteSoon();
    }
  }

  private inTurn(act: () => Promise<void>): Promise<void> {
    const mine = this.writes.then(act);
    this.writes = mine.catch(() => {});
    return mine;
  }
}

export const partsOf = ({ partitions }: ScanCheckpoint): string[] =>
  inSequence(partitions.flatMap(({ parts }) => parts));

/** null: this folder has been sealed already, or says nothing of itself. */
async function readBeside(dir: string): Promise<Map<string, Buffer> | null> {
  const manifest = await readManifest(dir).catch(() => null);
  if (manifest?.state !== 'live') return null;
  const files = [MANIFEST_FILE, ...BESIDE];
  const found = await Promise.all(files.map(async (file) => [file, await contentOf(path.join(dir, file))] as const));
  return new Map(found.filter((one): one is [string, Buffer] => one[1] !== null));
}

/** null: it is not there. */
async function contentOf(file: string): Promise<Buffer | null> {
  try {
    return await readFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
