import { type FileHandle, open, stat } from 'node:fs/promises';
import { AppError } from '@/lib/model/errors';
import { resolveArchivePath } from './archive-folder';
import { HEADER_BYTES } from './archive-record';

/** Opens an archive for reading. Throws `not_found` if the file is gone. */
export async function openArchive(file: string): Promise<FileHandle> {
  const { path } = resolveArchivePath(file);
  try {
    return await open(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new AppError('not_found', 'The archive no longer exists.', { file });
  }
}

/** Whether anything can have been written to an archive: the file exists and has a complete header. */
export async function hasBegun(file: string): Promise<boolean> {
  const { size } = await stat(resolveArchivePath(file).path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return { size: 0 };
    throw error;
  });
  return size >= HEADER_BYTES;
}

const AHEAD_BYTES = 1024 * 1024;

/** Reads a file in large pieces and returns small ones. */
export class ReadAhead {
  private buffer = Buffer.alloc(0);
  private offset = 0;

  constructor(
    private readonly handle: FileHandle,
    private readonly end: number,
  ) {}

  /** Returns exactly this many bytes, valid until the next call; null = the file ends before. */
  async take(size: number): Promise<Buffer | null> {
    while (this.buffer.length < size) {
      if (this.offset >= this.end) return null;
      const more = Buffer.allocUnsafe(
        Math.min(Math.max(AHEAD_BYTES, size - this.buffer.length), this.end - this.offset),
      );
      const { bytesRead } = await this.handle.read(more, 0, more.length, this.offset);
      if (bytesRead === 0) return null;
      this.offset += bytesRead;
      this.buffer = Buffer.concat([this.buffer, more.subarray(0, bytesRead)]);
    }
    const taken = this.buffer.subarray(0, size);
    this.buffer = this.buffer.subarray(size);
    return taken;
  }
}
