import type { FileHandle } from 'node:fs/promises';
import type { ArchivedKey, ArchiveEnd, ElementChunk } from '@/lib/model/deletions/archive';
import { walkEntries } from './archive-bundle';
import { decodeEntry, isChunk, readChunkHead } from './archive-entry';
import { openArchive, ReadAhead } from './archive-file';
import {
  beginChain,
  type Chain,
  createDamagedError,
  HEADER_BYTES,
  LENGTH_BYTES,
  MAX_RECORD_BYTES,
  openRecord,
  PREFIX_BYTES,
  TAG_BYTES,
} from './archive-record';
import { isFollowedByRecord } from './archive-tail';

/** The position of a record in the file, and what is required to open it on its own. */
export interface RecordPlace {
  offset: number;
  size: number;
  record: number;
  previous: Buffer;
}

/** A chunk is the bytes `[at, at + length)` of the payload of its record. */
export interface IndexedChunk {
  place: RecordPlace;
  at: number;
  length: number;
  type: ElementChunk['type'];
  start: number;
  elements: number;
}

export interface ArchiveIndex {
  keys: Map<number, { key: ArchivedKey; chunks: IndexedChunk[]; end: ArchiveEnd | null }>;
  sealed: boolean;
  records: number;
  /** The number of keys, chunks and ends, which determines the memory of the index. */
  entries: number;
  bytes: number;
  chain: Chain;
}

/**
 * Reads and authenticates the whole file before anything of it is used. It keeps offsets, not elements. Errors:
 * `archive_damaged` (names the record), `vault_key`, `not_found`. With `tornTail` the file may end with the rest of one
 * write that was interrupted (or is still in progress), which is not changed: the file may have a writer. Bytes after
 * the first `upTo` are not read.
 */
export async function verifyArchive(
  file: string,
  deletionId: string,
  { tornTail = false, upTo }: { tornTail?: boolean; upTo?: number | undefined } = {},
): Promise<ArchiveIndex> {
  const handle = await openArchive(file);
  try {
    const { index, torn } = await findRecoverable(handle, deletionId, upTo);
    if (torn && !tornTail) throw createDamagedError(index.records);
    return index;
  } finally {
    await handle.close();
  }
}

/**
 * Finds how far an archive is good, to continue it there. `good` = bytes. `torn` = the rest of one write follows.
 * Damage in the middle throws, because good records follow it.
 */
export async function findRecoverable(
  handle: FileHandle,
  deletionId: string,
  upTo = Number.POSITIVE_INFINITY,
): Promise<{ index: ArchiveIndex; good: number; torn: boolean }> {
  // The size is read first, so that nothing that a writer appends meanwhile is taken for damage.
  const size = Math.min((await handle.stat()).size, upTo);
  const { index, good } = await walk(handle, deletionId, size);
  if (good === size) return { index, good, torn: false };
  // If no key is known, the damaged record may be the one that names the first key.
  const tail = { from: good, to: size, knows: (seq: number) => index.keys.size === 0 || index.keys.has(seq) };
  if (index.sealed || (await isFollowedByRecord(handle, index.chain, tail))) throw createDamagedError(index.records);
  return { index, good, torn: true };
}

async function walk(
  handle: FileHandle,
  deletionId: string,
  end: number,
): Promise<{ index: ArchiveIndex; good: number }> {
  const reader = new ReadAhead(handle, end);
  const header = await reader.take(HEADER_BYTES);
  if (!header) throw createDamagedError(0);
  const chain = beginChain(Buffer.from(header), deletionId);
  const index: ArchiveIndex = { keys: new Map(), sealed: false, records: 0, entries: 0, bytes: 0, chain };
  let good = HEADER_BYTES;
  for (;;) {
    const prefix = await reader.take(LENGTH_BYTES);
    if (!prefix) break;
    // The record without its length: iv, body and tag.
    const size = prefix.readUInt32BE(0) + PREFIX_BYTES - LENGTH_BYTES + TAG_BYTES;
    const offset = good + LENGTH_BYTES;
    if (size > MAX_RECORD_BYTES || offset + size > end) break;
    const record = await reader.take(size);
    if (!record) break;
    let payload: Buffer;
    try {
      payload = openRecord(chain, record, chain.sequence, chain.previous);
    } catch {
      break;
    }
    const place = { offset, size, record: chain.sequence, previous: chain.previous };
    for (const entry of walkEntries(payload, place.record)) add(index, payload, { place, ...entry });
    chain.previous = Buffer.from(record.subarray(record.length - TAG_BYTES));
    chain.sequence++;
    good = offset + size;
  }
  index.records = chain.sequence;
  index.bytes = good;
  return { index, good };
}

function add(
  index: ArchiveIndex,
  payload: Buffer,
  { place, at, length }: Pick<IndexedChunk, 'place' | 'at' | 'length'>,
): void {
  if (index.sealed) throw createDamagedError(place.record);
  const bytes = payload.subarray(at, at + length);
  index.entries++;
  if (isChunk(bytes)) {
    const { seq, type, start, elements } = readChunkHead(bytes);
    const known = index.keys.get(seq);
    if (!known) throw createDamagedError(place.record);
    known.chunks.push({ place, at, length, type, start, elements });
    return;
  }
  const entry = decodeEntry(bytes, place.record);
  if (entry.kind === 'seal') index.sealed = true;
  if (entry.kind === 'key') {
    const known = index.keys.get(entry.key.seq);
    // The key was begun again after a crash: its chunks from before still count.
    if (known) known.key = entry.key;
    else index.keys.set(entry.key.seq, { key: entry.key, chunks: [], end: null });
  }
  if (entry.kind === 'end') {
    const known = index.keys.get(entry.end.seq);
    if (!known) throw createDamagedError(place.record);
    known.end = entry.end;
  }
}
