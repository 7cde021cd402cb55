import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs } from '@/lib/runtime/backoff-ms';
import { log } from '@/lib/runtime/log';
import { BESIDE } from '@/lib/snapshots/folder/beside';
import { inSequence } from '@/lib/snapshots/folder/folder';
import { MANIFEST_FILE, readManifest } from '@/lib/snapshots/folder/manifest';
import type { StoredFile } from '@/lib/snapshots/remote/contents';
import type { ObjectStore } from '@/lib/snapshots/remote/objects/object-store';
import { putScanFile } from '@/lib/snapshots/remote/scan-files';
import type { ScanCheckpoint } from './scan-checkpoint';

const RETRIES = { firstMs: 1_000, maxMs: 60_000 };
/** How many saved states wait for a slow store. When there are more, every second one is dropped. */
const MAX_WAITING = 64;
/** New files in the store are recorded with the next checkpoint, or after this many ms without one. */
const NOTE_MS = 1_000;

export interface PartsInStoreOptions {
  store: ObjectStore;
  snapshotId: string;
  dir: string;
  /** The checkpoint that the scan continues from; null: it starts. */
  from: ScanCheckpoint | null;
  /** Aborted when another run has taken over the scan. */
  signal: AbortSignal;
  /** Writes the checkpoint, fenced. */
  write(checkpoint: ScanCheckpoint): Promise<void>;
}

/**
 * If each worker has its own disk, parts are uploaded to the object store, one at a time. A checkpoint carries the
 * newest earlier checkpoint whose parts are all in the store (`portable`); a worker with another disk continues from
 * that. The scan never waits for the uploads. If the store is slow or refuses, `portable` only stays older.
 */
export class PartsInStore {
  private readonly stored: Map<string, StoredFile>;
  private portable: ScanCheckpoint | null;
  /** Saved states whose files are not all in the store, oldest first. */
  private waiting: ScanCheckpoint[] = [];
  /**
   * Manifest and small files as they were when reading ended, because sealing overwrites them. null: reading has not
   * ended.
   */
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
    // While reading continues, manifest and small files are not final, so stored copies of them are ignored.
    const known = (from?.stored ?? []).filter(({ path: file }) => from?.readingDone || file.endsWith('.parquet'));
    this.stored = new Map(known.map((file) => [file.path, file]));
  }

  /** Saves the current state, with what is known of the store, and starts the upload of its parts. */
  async save(state: ScanCheckpoint): Promise<void> {
    if (state.readingDone) this.beside ??= await readBeside(this.options.dir);
    await this.inTurn(async () => {
      this.remember(state);
      clearTimeout(this.timer);
      this.timer = undefined;
      // The notes are put into the state itself, because other code writes that state too (lib/jobs/node-claims.ts).
      await this.options.write(Object.assign(state, this.notes()));
    });
    this.upload();
  }

  /** Ends the uploads. If the store works, the running ones get `graceMs` to finish. */
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
    // A state from before a restart may miss keys that have moved since, so it is not portable.
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
    // A state without a part saves no reading, so it is not worth being portable.
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
      // A state may have been saved while the last upload ended.
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
      // The file is gone, because its node is read again or the scan is sealed. No state that lists it can be continued
      // from.
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

  /** Writes the last saved state once more, with new notes. The current state may be between two safe points. */
  private async writeNotes(): Promise<void> {
    try {
      await this.inTurn(async () => {
        if (this.last !== null && !this.options.signal.aborted)
          await this.options.write({ ...this.last, ...this.notes() });
      });
    } catch {
      // The write of the job's progress reports the cause. The notes are written again later.
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

/**
 * Reads the manifest and the small files of a scan. null: the folder is sealed already, or has no readable manifest.
 */
async function readBeside(dir: string): Promise<Map<string, Buffer> | null> {
  const manifest = await readManifest(dir).catch(() => null);
  if (manifest?.state !== 'live') return null;
  const files = [MANIFEST_FILE, ...BESIDE];
  const found = await Promise.all(files.map(async (file) => [file, await contentOf(path.join(dir, file))] as const));
  return new Map(found.filter((one): one is [string, Buffer] => one[1] !== null));
}

/** Reads a file; null: it does not exist. */
async function contentOf(file: string): Promise<Buffer | null> {
  try {
    return await readFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
