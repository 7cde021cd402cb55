import { type FileHandle, open } from 'node:fs/promises';
import type { ArchivedKey, ArchiveEnd, ElementChunk } from '@/lib/model/archive';
import { AppError } from '@/lib/model/errors';
import { chunkHead, decodeEntry, isChunk } from './archive-entry';
import { archivePath } from './archive-folder';
import {
  type Chain,
  chainOf,
  damaged,
  HEADER_BYTES,
  MOST_RECORD_BYTES,
  openRecord,
  PREFIX_BYTES,
  TAG_BYTES,
} from './archive-record';
import { followedByRecord } from './archive-tail';

/** Where a chunk lies, and what is needed to open it alone. */
export interface IndexedChunk {
  offset: number;
  size: number;
  record: number;
  previous: Buffer;
  type: ElementChunk['type'];
  start: number;
  elements: number;
}

export interface ArchiveIndex {
  keys: Map<number, { key: ArchivedKey; chunks: IndexedChunk[]; end: ArchiveEnd | null }>;
  sealed: boolean;
  records: number;
  bytes: number;
  chain: Chain;
}

/**
 * Reads and authenticates the whole file before anything of it is used. Keeps offsets, not elements. Errors:
 * `archive_damaged` (names the record), `vault_key`, `not_found`. With `tornTail` the rest of one write that was cut off
 * (or is still on its way) may stand at the end and is left alone: the file may have a writer.
 */
export async function verifyArchive(
  file: string,
  deletionId: string,
  { tornTail = false }: { tornTail?: boolean } = {},
): Promise<ArchiveIndex> {
  const handle = await openFile(file);
  try {
    const { index, torn } = await recoverable(handle, deletionId);
    if (torn && !tornTail) throw damaged(index.records);
    return index;
  } finally {
    await handle.close();
  }
}

/**
 * How far an archive is good, for taking it up again. `torn`: what follows is the rest of one write. A damaged middle
 * throws: good records lie behind it.
 */
export async function recoverable(
  handle: FileHandle,
  deletionId: string,
): Promise<{ index: ArchiveIndex; good: number; torn: boolean }> {
  // Asked first: what a writer adds meanwhile is not ours to judge.
  const { size } = await handle.stat();
  const { index, good } = await walk(handle, deletionId, size);
  if (good === size) return { index, good, torn: false };
  // What names the first key may be what is damaged.
  const tail = { from: good, to: size, knows: (seq: number) => index.keys.size === 0 || index.keys.has(seq) };
  if (index.sealed || (await followedByRecord(handle, index.chain, tail))) throw damaged(index.records);
  return { index, good, torn: true };
}

async function walk(
  handle: FileHandle,
  deletionId: string,
  end: number,
): Promise<{ index: ArchiveIndex; good: number }> {
  const reader = new Ahead(handle, end);
  const header = await reader.take(HEADER_BYTES);
  if (!header) throw damaged(0);
  const chain = chainOf(Buffer.from(header), deletionId);
  const index: ArchiveIndex = { keys: new Map(), sealed: false, records: 0, bytes: 0, chain };
  let good = HEADER_BYTES;
  for (;;) {
    const prefix = await reader.take(4);
    if (!prefix) break;
    const size = prefix.readUInt32BE(0) + PREFIX_BYTES - 4 + TAG_BYTES;
    if (size > MOST_RECORD_BYTES) break;
    if (good + 4 + size > end) break;
    const record = await reader.take(size);
    if (!record) break;
    let payload: Buffer;
    try {
      payload = openRecord(chain, record, chain.sequence, chain.previous);
    } catch {
      break;
    }
    add(index, payload, { offset: good + 4, size, record: chain.sequence, previous: chain.previous });
    chain.previous = Buffer.from(record.subarray(record.length - TAG_BYTES));
    chain.sequence++;
    good += 4 + size;
  }
  index.records = chain.sequence;
  index.bytes = good;
  return { index, good };
}

function add(
  index: ArchiveIndex,
  payload: Buffer,
  place: Pick<IndexedChunk, 'offset' | 'size' | 'record' | 'previous'>,
): void {
  if (index.sealed) throw damaged(place.record);
  if (isChunk(payload)) {
    const { seq, ...head } = chunkHead(payload);
    const known = index.keys.get(seq);
    if (!known) throw damaged(place.record);
    known.chunks.push({ ...place, ...head });
    return;
  }
  const entry = decodeEntry(payload, place.record);
  if (entry.kind === 'seal') index.sealed = true;
  if (entry.kind === 'key') {
    const known = index.keys.get(entry.key.seq);
    // Begun again after a crash: what was archived before still counts.
    if (known) known.key = entry.key;
    else index.keys.set(entry.key.seq, { key: entry.key, chunks: [], end: null });
  }
  if (entry.kind === 'end') {
    const known = index.keys.get(entry.end.seq);
    if (!known) throw damaged(place.record);
    known.end = entry.end;
  }
}

/** The elements of one key, in the order they were written, or by `start`. */
export async function* readChunks(
  file: string,
  index: ArchiveIndex,
  seq: number,
  { sorted }: { sorted: boolean },
): AsyncGenerator<ElementChunk> {
  const found = index.keys.get(seq);
  if (!found) return;
  const chunks = sorted ? [...found.chunks].sort((a, b) => a.start - b.start) : found.chunks;
  const handle = await openFile(file);
  try {
    for (const { offset, size, record, previous } of chunks) {
      const bytes = Buffer.allocUnsafe(size);
      const { bytesRead } = await handle.read(bytes, 0, size, offset);
      if (bytesRead !== size) throw damaged(record);
      const entry = decodeEntry(openRecord(index.chain, bytes, record, previous), record);
      if (entry.kind !== 'chunk') throw damaged(record);
      yield entry.chunk;
    }
  } finally {
    await handle.close();
  }
}

/** What lies this close together is read in one piece. */
const SPAN_BYTES = 4 * 1024 * 1024;

/** The elements of many small keys: one file opened once, and read in one piece where they lie together. */
export async function readKeys(
  file: string,
  index: ArchiveIndex,
  seqs: readonly number[],
): Promise<Map<number, ElementChunk[]>> {
  const wanted = seqs.flatMap((seq) => (index.keys.get(seq)?.chunks ?? []).map((chunk) => ({ seq, chunk })));
  wanted.sort((a, b) => a.chunk.offset - b.chunk.offset);
  const found = new Map<number, ElementChunk[]>();
  if (wanted.length === 0) return found;
  const handle = await openFile(file);
  try {
    let from = 0;
    let piece = Buffer.alloc(0);
    for (const [at, { seq, chunk }] of wanted.entries()) {
      const { offset, size, record, previous } = chunk;
      if (offset + size > from + piece.length) {
        from = offset;
        let to = offset + size;
        for (const { chunk: next } of wanted.slice(at + 1)) {
          if (next.offset + next.size - from > SPAN_BYTES) break;
          to = next.offset + next.size;
        }
        piece = Buffer.allocUnsafe(to - from);
        const { bytesRead } = await handle.read(piece, 0, piece.length, from);
        if (bytesRead !== piece.length) throw damaged(record);
      }
      const bytes = piece.subarray(offset - from, offset - from + size);
      const entry = decodeEntry(openRecord(index.chain, bytes, record, previous), record);
      if (entry.kind !== 'chunk') throw damaged(record);
      const chunks = found.get(seq);
      if (chunks) chunks.push(entry.chunk);
      else found.set(seq, [entry.chunk]);
    }
  } finally {
    await handle.close();
  }
  for (const chunks of found.values()) chunks.sort((a, b) => a.start - b.start);
  return found;
}

async function openFile(file: string): Promise<FileHandle> {
  const { path } = archivePath(file);
  try {
    return await open(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new AppError('not_found', 'The archive is not there any more.', { file });
  }
}

const AHEAD_BYTES = 1024 * 1024;

/** Reads a file in large pieces and hands out small ones. */
class Ahead {
  private buffer = Buffer.alloc(0);
  private offset = 0;

  constructor(
    private readonly handle: FileHandle,
    private readonly end: number,
  ) {}

  /** Exactly so many bytes, valid until the next call; null = the file ends before. */
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
