/**
 * A crash leaves a bad end of an archive, but never a good record after a bad one, because an interrupted write is the
 * last of its file. So an unreadable part may be cut off only if no later record can be read. It is not known where a
 * record would begin (the length itself may be damaged), so every position is tried; what looks like a record must then
 * authenticate.
 */

import type { FileHandle } from 'node:fs/promises';
import { looksLikeBundle } from './archive-bundle';
import { EARLY_BYTES, looksLikeEntry } from './archive-entry';
import {
  type Chain,
  LENGTH_BYTES,
  MAX_RECORD_BYTES,
  openEarly,
  openRecord,
  PREFIX_BYTES,
  TAG_BYTES,
} from './archive-record';

/** How many bytes are searched at once for a later good record. */
const BLOCK_BYTES = 1024 * 1024;
const MIN_RECORD_BYTES = PREFIX_BYTES + 1 + TAG_BYTES;

/**
 * Whether a good record begins after `from`, where reading failed, and ends at `to` or before. `knows` = whether a key
 * with this number can have elements here.
 */
export async function isFollowedByRecord(
  handle: FileHandle,
  chain: Chain,
  tail: { from: number; to: number; knows(seq: number): boolean },
): Promise<boolean> {
  const { from, to, knows } = tail;
  if (chain.sequence === 0 && (await isFirstWhole(handle, from, to))) return true;
  const block = Buffer.allocUnsafe(BLOCK_BYTES + PREFIX_BYTES + EARLY_BYTES);
  for (let base = from + 1; base <= to - MIN_RECORD_BYTES; base += BLOCK_BYTES) {
    const { bytesRead } = await handle.read(block, 0, Math.min(block.length, to - base), base);
    const last = Math.min(BLOCK_BYTES, bytesRead - PREFIX_BYTES);
    for (let at = 0; at < last; at++) {
      const length = block.readUInt32BE(at);
      if (length < 1 || length > Math.min(MAX_RECORD_BYTES, to - base - at - PREFIX_BYTES - TAG_BYTES)) continue;
      const earlyEnd = Math.min(at + PREFIX_BYTES + Math.min(EARLY_BYTES, length), bytesRead);
      const start = openEarly(chain, block.subarray(at + LENGTH_BYTES, earlyEnd));
      if (!looksLikeEntry(start, length, knows) && !looksLikeBundle(start, length)) continue;
      // The tag that the record was chained to may be the damaged part, and then it cannot be authenticated. If it ends
      // exactly at the end of the file, it is taken for a record all the same.
      const ends = base + at + PREFIX_BYTES + length + TAG_BYTES === to;
      if (ends || (await isAuthentic(handle, chain, { from, at: base + at, length }))) return true;
    }
  }
  return false;
}

/**
 * Whether the first record is complete although nothing can be decrypted: the salt of the header was changed, and so
 * the key.
 */
async function isFirstWhole(handle: FileHandle, from: number, to: number): Promise<boolean> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(LENGTH_BYTES), 0, LENGTH_BYTES, from);
  const length = buffer.readUInt32BE(0);
  return bytesRead === LENGTH_BYTES && length > 0 && from + PREFIX_BYTES + length + TAG_BYTES <= to;
}

/** Tries all possible numbers of the record: no more records can be in between than fit there. */
async function isAuthentic(
  handle: FileHandle,
  chain: Chain,
  { from, at, length }: { from: number; at: number; length: number },
): Promise<boolean> {
  const bytes = Buffer.allocUnsafe(TAG_BYTES + PREFIX_BYTES + length + TAG_BYTES);
  await handle.read(bytes, 0, bytes.length, at - TAG_BYTES);
  const previous = bytes.subarray(0, TAG_BYTES);
  const record = bytes.subarray(TAG_BYTES + LENGTH_BYTES);
  const max = chain.sequence + Math.ceil((at - from) / MIN_RECORD_BYTES);
  for (let sequence = chain.sequence + 1; sequence <= max; sequence++) {
    try {
      openRecord(chain, record, sequence, previous);
      return true;
    } catch {
      // The record does not have this number.
    }
  }
  return false;
}
