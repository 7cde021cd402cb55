import type { FileHandle } from 'node:fs/promises';
import type { ElementChunk } from '@/lib/model/deletions/archive';
import { decodeEntry } from './archive-entry';
import { openArchive } from './archive-file';
import type { ArchiveIndex, IndexedChunk, RecordPlace } from './archive-reader';
import { createDamagedError, openRecord } from './archive-record';

/**
 * Yields the elements of one key, in the order they were written (`newestFirst`: in reverse), or sorted by `start`.
 * `groups`: true = only the pages of consumer groups, false = everything else, undefined = both.
 */
export async function* readChunks(
  file: string,
  index: ArchiveIndex,
  seq: number,
  { sorted, newestFirst = false, groups }: { sorted: boolean; newestFirst?: boolean; groups?: boolean },
): AsyncGenerator<ElementChunk> {
  const found = index.keys.get(seq);
  if (!found) return;
  const written = newestFirst ? found.chunks.toReversed() : found.chunks;
  const chunks = sorted ? [...found.chunks].sort((a, b) => a.start - b.start) : written;
  const handle = await openArchive(file);
  try {
    const records = new OpenedRecords(handle, index);
    for (const chunk of chunks)
      if (groups === undefined || groups === (chunk.type === 'groups'))
        yield await records.chunk(chunk, chunk.place.size);
  } finally {
    await handle.close();
  }
}

/** Chunks within this many bytes of each other are read in one piece. */
const SPAN_BYTES = 4 * 1024 * 1024;

/**
 * Reads the elements of many small keys, by `seq`. The file is opened once, and chunks that are close to each other are
 * read in one piece.
 */
export async function readKeys(
  file: string,
  index: ArchiveIndex,
  seqs: readonly number[],
): Promise<Map<number, ElementChunk[]>> {
  const wanted = seqs.flatMap((seq) => (index.keys.get(seq)?.chunks ?? []).map((chunk) => ({ seq, chunk })));
  wanted.sort((a, b) => a.chunk.place.offset - b.chunk.place.offset);
  const found = new Map<number, ElementChunk[]>();
  if (wanted.length === 0) return found;
  const handle = await openArchive(file);
  try {
    const records = new OpenedRecords(handle, index);
    let ahead = 0;
    for (const [at, { seq, chunk }] of wanted.entries()) {
      const { offset, size } = chunk.place;
      if (offset + size > ahead) {
        ahead = offset + size;
        for (let next = at + 1; next < wanted.length; next++) {
          const { place } = (wanted[next] as (typeof wanted)[number]).chunk;
          if (place.offset + place.size - offset > SPAN_BYTES) break;
          ahead = place.offset + place.size;
        }
      }
      const elements = await records.chunk(chunk, ahead - offset);
      const chunks = found.get(seq);
      if (chunks) chunks.push(elements);
      else found.set(seq, [elements]);
    }
  } finally {
    await handle.close();
  }
  for (const chunks of found.values()) chunks.sort((a, b) => a.start - b.start);
  return found;
}

/** Opens the records of a file one at a time. A record has many small keys; it is read and authenticated once. */
class OpenedRecords {
  private from = 0;
  private piece: Buffer = Buffer.alloc(0);
  private last: RecordPlace | null = null;
  private payload: Buffer = Buffer.alloc(0);

  constructor(
    private readonly handle: FileHandle,
    private readonly index: ArchiveIndex,
  ) {}

  /** Returns one chunk. `readBytes`: how much of the file to read at once if this record is not in memory. */
  async chunk({ place, at, length }: IndexedChunk, readBytes: number): Promise<ElementChunk> {
    const { offset, size, record, previous } = place;
    if (this.last !== place) {
      if (offset < this.from || offset + size > this.from + this.piece.length) {
        const piece = Buffer.allocUnsafe(readBytes);
        const { bytesRead } = await this.handle.read(piece, 0, readBytes, offset);
        if (bytesRead !== readBytes) throw createDamagedError(record);
        this.piece = piece;
        this.from = offset;
      }
      const bytes = this.piece.subarray(offset - this.from, offset - this.from + size);
      this.payload = openRecord(this.index.chain, bytes, record, previous);
      this.last = place;
    }
    const entry = decodeEntry(this.payload.subarray(at, at + length), record);
    if (entry.kind !== 'chunk') throw createDamagedError(record);
    return entry.chunk;
  }
}
