import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ArchivedKey, ArchiveEnd, ElementChunk } from '@/lib/model/deletions/archive';
import { AppError } from '@/lib/model/errors';
import { fsyncFolder } from '@/lib/runtime/files/fsync-and-rename';
import { isDiskFull } from '@/lib/runtime/files/is-disk-full';
import { encodeBundle, MAX_BUNDLE_BYTES } from './archive-bundle';
import { encodeChunk, encodeEnd, encodeKeyEntry, encodeSeal } from './archive-entry';
import { resolveArchivePath } from './archive-folder';
import { findRecoverable } from './archive-reader';
import {
  beginChain,
  type Chain,
  createDamagedError,
  createHeader,
  encryptRecord,
  HEADER_BYTES,
} from './archive-record';

/**
 * Appends to an archive. Entries are collected in a bundle; a closed bundle is encrypted as one record, which waits for
 * `sync`. Nothing counts until `sync` has resolved: from then on it is on the disk, and the copied elements may be
 * deleted. After a failed write or sync the writer cannot be used any more, because it is unknown what the disk has.
 */
export class ArchiveWriter {
  private waiting: Buffer[] = [];
  private bundle: Buffer[] = [];
  private bundleBytes = 0;
  /** The error of every further call: a write failed, or the archive is closed. */
  private unusable: AppError | null = null;
  /** Whether a write or sync has failed, so that it is unknown what the disk has. Only this class sets it. */
  failed = false;

  constructor(
    private readonly handle: FileHandle,
    private readonly chain: Chain,
    private fileBytes: number,
    private sealed: boolean,
  ) {}

  /** The number of records, including those not synced yet; an open bundle counts as one. */
  get records(): number {
    return this.chain.sequence + (this.bundle.length > 0 ? 1 : 0);
  }

  writeKey(key: ArchivedKey): void {
    this.add(encodeKeyEntry(key));
  }

  writeChunk(seq: number, chunk: ElementChunk): void {
    this.add(encodeChunk(seq, chunk));
  }

  writeEnd(end: ArchiveEnd): void {
    this.add(encodeEnd(end));
  }

  /** Writes everything to the disk. Returns the bytes of the file and its number of records. */
  async sync(): Promise<{ bytes: number; records: number }> {
    if (this.unusable) throw this.unusable;
    this.closeBundle();
    const bytes = Buffer.concat(this.waiting);
    this.waiting = [];
    try {
      if (bytes.length > 0) {
        await writeWhole(this.handle, bytes, this.fileBytes);
        this.fileBytes += bytes.length;
        await this.handle.datasync();
      }
    } catch (error) {
      this.failed = true;
      this.unusable = toArchiveError(error);
      throw this.unusable;
    }
    return { bytes: this.fileBytes, records: this.chain.sequence };
  }

  /** Writes the last entry, which states that the archive is complete; nothing can follow it. */
  async seal(): Promise<void> {
    if (this.sealed) return;
    this.add(encodeSeal());
    await this.sync();
    this.sealed = true;
  }

  async close(): Promise<void> {
    this.unusable ??= new AppError('internal', 'The archive is closed.');
    // Everything that counts is synced already.
    await this.handle.close().catch(() => {});
  }

  private closeBundle(): void {
    if (this.bundle.length === 0) return;
    const payload = encodeBundle(this.bundle);
    this.bundle = [];
    this.bundleBytes = 0;
    this.waiting.push(encryptRecord(this.chain, payload));
  }

  private add(payload: Buffer): void {
    if (this.unusable) throw this.unusable;
    if (this.sealed)
      throw new AppError('archive_damaged', 'The archive is sealed: nothing can follow.', { sealed: true });
    if (this.bundleBytes + payload.length > MAX_BUNDLE_BYTES) this.closeBundle();
    this.bundle.push(payload);
    this.bundleBytes += payload.length;
  }
}

/**
 * Creates the archive (0600, its folders synced), or continues it after its last good record. The rest of an
 * interrupted write after that (a torn tail) is saved to another file and cut off. `synced`: how many bytes the journal
 * knows to be on the disk; if fewer are good, the archive is damaged. Errors: `archive_damaged`, `vault_key`,
 * `disk_full`, `data_folder`.
 */
export async function openArchiveWriter(input: {
  deletionId: string;
  file: string;
  synced?: number;
}): Promise<ArchiveWriter> {
  const { folder, path } = resolveArchivePath(input.file);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const handle = await createFile(path);
    if (!handle) return await reopenArchive(path, input.deletionId, input.synced ?? 0);
    try {
      const writer = await beginArchive(handle, input.deletionId);
      await fsyncFolder(folder);
      await fsyncFolder(dirname(folder));
      return writer;
    } catch (error) {
      await handle.close();
      throw error;
    }
  } catch (error) {
    throw toArchiveError(error);
  }
}

async function createFile(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, constants.O_CREAT | constants.O_EXCL | constants.O_RDWR, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return null;
    throw error;
  }
}

async function beginArchive(handle: FileHandle, deletionId: string): Promise<ArchiveWriter> {
  const header = createHeader();
  await writeWhole(handle, header, 0);
  await handle.datasync();
  return new ArchiveWriter(handle, beginChain(header, deletionId), header.length, false);
}

async function reopenArchive(path: string, deletionId: string, synced: number): Promise<ArchiveWriter> {
  const handle = await open(path, 'r+');
  try {
    const { size } = await handle.stat();
    if (size < synced) throw createDamagedError(0);
    // The header is incomplete, so no record can have followed.
    if (size < HEADER_BYTES) return await beginArchive(handle, deletionId);
    const { index, good, torn } = await findRecoverable(handle, deletionId);
    if (good < synced) throw createDamagedError(index.records);
    if (torn) {
      await saveTornTail(handle, path, good);
      await handle.truncate(good);
      await handle.datasync();
    }
    return new ArchiveWriter(handle, index.chain, good, index.sealed);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

const MAX_SAVED_BYTES = 64 * 1024 * 1024;

/** Saves the beginning of the torn tail to a file for a person to look at; the work can continue without it. */
async function saveTornTail(handle: FileHandle, path: string, from: number): Promise<void> {
  const { size } = await handle.stat();
  const tail = Buffer.allocUnsafe(Math.min(size - from, MAX_SAVED_BYTES));
  await handle.read(tail, 0, tail.length, from);
  await writeFile(`${path}.torn-${from}`, tail, { mode: 0o600 });
}

async function writeWhole(handle: FileHandle, bytes: Buffer, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; )
    done += (await handle.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
}

/** Turns an error of the file system into one that says what to do. */
export function toArchiveError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const cause = (error as NodeJS.ErrnoException).code ?? 'unknown';
  const full = isDiskFull(error);
  return new AppError(
    full ? 'disk_full' : 'data_folder',
    full
      ? 'The disk is full: nothing is deleted without its archive. Free space, then resume.'
      : `The archive cannot be written (${cause}). Give this user read and write permission for the data folder.`,
    { cause },
    { cause: error },
  );
}
