import { type FileHandle, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { nameDurably } from '@/lib/files/durable';
import type { FactsPage } from '@/lib/model/snapshots/facts-page';
import { diskError } from '@/lib/snapshots/folder/durable';
import { compressColumns } from './compress-columns';
import { type EncodedColumn, footer, MAGIC, type RowGroupMeta } from './parquet-pages';
import { PART_COLUMNS, type RowGroup } from './part-columns';
import { rowGroups } from './row-groups';

/**
 * Writes one immutable part of a scan. A part has its final name only when all its bytes are on disk, so whatever a
 * crash leaves behind under that name is whole. `append` copies what it keeps; it answers a promise only when the disk
 * is slower than the scan, and the scan should wait for it.
 */
export interface PartWriter {
  append(page: FactsPage): undefined | Promise<void>;
  readonly rows: number;
  readonly startedAtMs: number;
  /** Its names take as much as sealing can hold: the part should be closed, however few rows it has. */
  readonly isLarge: boolean;
  /** `mayName`: asked when all its bytes are on disk, before it has its name; what it throws ends the part. */
  finish(mayName?: () => Promise<void>): Promise<{ file: string; rows: number; bytes: number }>;
  abort(): Promise<void>;
}

/**
 * Parts lie on disk until all of a scan is sealed. Those of a small one are small, and it is over soon; of a large one
 * they would take six times what is left of them.
 */
const COMPRESSED_FROM = 5;

/** Sealing sorts whole parts: of names, what its memory holds. */
const MAX_NAME_BYTES = 64 * 1024 * 1024;
/** Of long ones: each of a dozen steps of folding ids has the texts of 2,048 names anew. */
const MAX_LONG_TEXT_BYTES = 4 * 1024 * 1024;

interface PartOf {
  node: number;
  db: number;
  sequence: number;
  /** Hexadecimal, of the run that writes it: one that was overtaken knows the same number. */
  token?: string;
}

export async function createPartWriter(dir: string, part: PartOf): Promise<PartWriter> {
  const token = part.token === undefined ? '' : `-${part.token}`;
  const file = `part-${part.node}-${part.db}-${String(part.sequence).padStart(6, '0')}${token}.parquet`;
  const temporary = path.join(dir, `${file}.tmp`);
  try {
    const handle = await open(temporary, 'w', 0o600);
    return new Writer(dir, file, temporary, handle, part);
  } catch (error) {
    throw await diskError(error, dir);
  }
}

class Writer implements PartWriter {
  rows = 0;
  readonly startedAtMs = Date.now();
  private group: RowGroup;
  /** Of the groups that are written. */
  private written = { nameBytes: 0, longTextBytes: 0 };
  private open = true;
  private groups: RowGroupMeta[] = [];
  private position = 0;
  private writing: Promise<void>;
  private waiting = 0;
  private failure: unknown = null;

  constructor(
    private readonly dir: string,
    private readonly file: string,
    private readonly temporary: string,
    private readonly handle: FileHandle,
    private readonly part: PartOf,
  ) {
    rowGroups.open();
    this.group = rowGroups.next();
    this.writing = this.put([MAGIC]);
  }

  append(page: FactsPage): undefined | Promise<void> {
    if (this.failure !== null) return this.check();
    let next = 0;
    while (next < page.count) {
      next = this.group.take(page, next);
      if (this.group.full) this.flush();
    }
    this.rows += page.count;
    // One group in the disk's hands and one being filled is normal; more means that the disk is behind.
    return this.waiting > 1 ? this.writing.then(() => this.check()) : undefined;
  }

  get isLarge(): boolean {
    const { nameBytes, longTextBytes } = this.written;
    return (
      nameBytes + this.group.nameBytes >= MAX_NAME_BYTES ||
      longTextBytes + this.group.longTextBytes >= MAX_LONG_TEXT_BYTES
    );
  }

  private flush(): void {
    const group = this.group;
    if (group.rows === 0) return;
    const { rows } = group;
    this.written.nameBytes += group.nameBytes;
    this.written.longTextBytes += group.longTextBytes;
    const { node, db, sequence } = this.part;
    const plain = group.encode(node, db, sequence);
    const encoded = sequence < COMPRESSED_FROM ? plain : compressColumns(PART_COLUMNS, plain, rows);
    this.waiting++;
    this.writing = this.writing
      .then(async () => {
        const columns = await encoded;
        if (this.failure === null) await this.writeGroup(rows, columns);
      })
      .catch((error) => {
        this.failure ??= error;
      })
      .then(() => {
        this.waiting--;
        rowGroups.giveBack(group);
      });
    this.group = rowGroups.next();
  }

  private async writeGroup(rows: number, columns: readonly EncodedColumn[]): Promise<void> {
    const meta: RowGroupMeta = { rows, columns: [] };
    for (const { buffers: _, ...column } of columns) {
      meta.columns.push({ offset: this.position, ...column });
      this.position += column.bytes;
    }
    this.groups.push(meta);
    await this.write(columns.flatMap((column) => column.buffers));
  }

  private put(buffers: Uint8Array[]): Promise<void> {
    this.position += buffers.reduce((n, b) => n + b.byteLength, 0);
    return this.write(buffers).catch((error) => {
      this.failure ??= error;
    });
  }

  private async write(buffers: Uint8Array[]): Promise<void> {
    const total = buffers.reduce((n, b) => n + b.byteLength, 0);
    const { bytesWritten } = await this.handle.writev(buffers);
    if (bytesWritten === total) return;
    // A short write is how a filling disk announces itself: the next one tells the reason.
    let rest = Buffer.concat(buffers).subarray(bytesWritten);
    while (rest.length > 0) {
      const more = await this.handle.write(rest);
      rest = rest.subarray(more.bytesWritten);
    }
  }

  private async check(): Promise<void> {
    if (this.failure !== null) throw await diskError(this.failure, this.dir);
  }

  async finish(mayName?: () => Promise<void>): Promise<{ file: string; rows: number; bytes: number }> {
    this.flush();
    await this.writing;
    try {
      await this.check();
      const end = footer(PART_COLUMNS, this.groups);
      await this.write([end]);
      await this.handle.sync();
      await this.handle.close();
      await mayName?.();
      await nameDurably(this.temporary, path.join(this.dir, this.file));
      this.close();
      return { file: this.file, rows: this.rows, bytes: this.position + end.length };
    } catch (error) {
      await this.abort();
      throw await diskError(error, this.dir);
    }
  }

  async abort(): Promise<void> {
    await this.writing;
    this.close();
    await this.handle.close().catch(() => {});
    await rm(this.temporary, { force: true });
  }

  /** The group it was filling serves the next part. */
  private close(): void {
    if (!this.open) return;
    this.open = false;
    rowGroups.close();
    rowGroups.giveBack(this.group);
  }
}
