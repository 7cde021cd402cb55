import { type FileHandle, open, rm } from 'node:fs/promises';
import path from 'node:path';
import type { FactsPage } from '@/lib/model/snapshots/facts-page';
import { renameDurably } from '@/lib/runtime/files/fsync-and-rename';
import { toDiskError } from '@/lib/snapshots/folder/durable';
import { compressColumns } from './compress-columns';
import { type EncodedColumn, encodeFooter, MAGIC, type RowGroupMeta } from './parquet-pages';
import { PART_COLUMNS, type RowGroup } from './part-columns';
import { rowGroups } from './row-groups';

/**
 * Writes one immutable part of a scan. A part gets its final name only when all its bytes are on disk, so any file with
 * such a name is complete, also after a crash. `append` copies what it keeps. It returns a promise only when the disk
 * is slower than the scan, and the scan should then wait for it.
 */
export interface PartWriter {
  append(page: FactsPage): undefined | Promise<void>;
  readonly rows: number;
  readonly startedAtMs: number;
  /**
   * The names of the part take as much memory as sealing can hold: the part should be closed, however few rows it has.
   */
  readonly isLarge: boolean;
  /**
   * Closes the part and names it. `mayName` is called when all bytes are on disk and before the part has its name; if
   * it throws, the part is aborted.
   */
  finish(mayName?: () => Promise<void>): Promise<{ file: string; rows: number; bytes: number }>;
  abort(): Promise<void>;
}

/**
 * Parts from this sequence on are compressed. Parts stay on disk until the whole scan is sealed. A small scan has few
 * parts, soon deleted. For a large scan, uncompressed parts would take six times the space of the sealed files.
 */
const COMPRESSED_FROM = 5;

/** Sealing sorts whole parts, so a part holds at most as many bytes of names as the memory of sealing. */
const MAX_NAME_BYTES = 64 * 1024 * 1024;
/** Limit for the bytes of long names: each of a dozen steps that fold ids copies the texts of 2,048 names. */
const MAX_LONG_TEXT_BYTES = 4 * 1024 * 1024;

interface Part {
  node: number;
  db: number;
  sequence: number;
  /** Hexadecimal token of the run that writes the part. A run that was overtaken may use the same sequence. */
  token?: string;
}

export async function createPartWriter(dir: string, part: Part): Promise<PartWriter> {
  const token = part.token === undefined ? '' : `-${part.token}`;
  const file = `part-${part.node}-${part.db}-${String(part.sequence).padStart(6, '0')}${token}.parquet`;
  const temporary = path.join(dir, `${file}.tmp`);
  try {
    const handle = await open(temporary, 'w', 0o600);
    return new Writer(dir, file, temporary, handle, part);
  } catch (error) {
    throw await toDiskError(error, dir);
  }
}

class Writer implements PartWriter {
  rows = 0;
  readonly startedAtMs = Date.now();
  private group: RowGroup;
  /** Bytes of names in the groups that were handed over for writing. */
  private written = { nameBytes: 0, longTextBytes: 0 };
  private isOpen = true;
  private groups: RowGroupMeta[] = [];
  /** Bytes written so far. */
  private position = 0;
  private writing: Promise<void>;
  /** Number of groups that are not yet written. */
  private waiting = 0;
  private failure: unknown = null;

  constructor(
    private readonly dir: string,
    private readonly file: string,
    private readonly temporary: string,
    private readonly handle: FileHandle,
    private readonly part: Part,
  ) {
    rowGroups.open();
    this.group = rowGroups.next();
    this.position = MAGIC.length;
    this.writing = this.write([MAGIC]).catch((error) => {
      this.failure ??= error;
    });
  }

  append(page: FactsPage): undefined | Promise<void> {
    if (this.failure !== null) return this.throwFailure();
    let next = 0;
    while (next < page.count) {
      next = this.group.take(page, next);
      if (this.group.full) this.flush();
    }
    this.rows += page.count;
    // It is normal that one group is being written while another is filled. More means that the disk is slower than the
    // scan.
    return this.waiting > 1 ? this.writing.then(() => this.throwFailure()) : undefined;
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

  private async write(buffers: Uint8Array[]): Promise<void> {
    const total = buffers.reduce((n, b) => n + b.byteLength, 0);
    const { bytesWritten } = await this.handle.writev(buffers);
    if (bytesWritten === total) return;
    // A disk that fills up first writes fewer bytes than requested. The next write fails with the reason.
    let rest = Buffer.concat(buffers).subarray(bytesWritten);
    while (rest.length > 0) {
      const more = await this.handle.write(rest);
      rest = rest.subarray(more.bytesWritten);
    }
  }

  private async throwFailure(): Promise<void> {
    if (this.failure !== null) throw await toDiskError(this.failure, this.dir);
  }

  async finish(mayName?: () => Promise<void>): Promise<{ file: string; rows: number; bytes: number }> {
    this.flush();
    await this.writing;
    try {
      await this.throwFailure();
      const end = encodeFooter(PART_COLUMNS, this.groups);
      await this.write([end]);
      await this.handle.sync();
      await this.handle.close();
      await mayName?.();
      await renameDurably(this.temporary, path.join(this.dir, this.file));
      this.close();
      return { file: this.file, rows: this.rows, bytes: this.position + end.length };
    } catch (error) {
      await this.abort();
      throw await toDiskError(error, this.dir);
    }
  }

  async abort(): Promise<void> {
    await this.writing;
    this.close();
    await this.handle.close().catch(() => {});
    await rm(this.temporary, { force: true });
  }

  /** Returns the current group to the pool for the next part. */
  private close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    rowGroups.close();
    rowGroups.giveBack(this.group);
  }
}
