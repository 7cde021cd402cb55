import { createDamagedError } from './archive-record';

/**
 * The kind of a bundle; entries have the kinds below it (archive-entry.ts). Small entries share a record, because
 * sealing one costs more than the few bytes of a small key. A bundle is this kind, followed by each entry with its
 * length before it.
 */
const BUNDLE = 5;
const LENGTH_BYTES = 4;
/** A bundle is closed at this size, bytes; a larger entry has a record of its own. */
export const MAX_BUNDLE_BYTES = 64 * 1024;

export function encodeBundle(entries: readonly Buffer[]): Buffer {
  const [only] = entries;
  if (only && entries.length === 1) return only;
  let size = 1;
  for (const entry of entries) size += LENGTH_BYTES + entry.length;
  const bytes = Buffer.allocUnsafe(size);
  let at = bytes.writeUInt8(BUNDLE, 0);
  for (const entry of entries) {
    at = bytes.writeUInt32BE(entry.length, at);
    at += entry.copy(bytes, at);
  }
  return bytes;
}

/**
 * Yields where each entry is in the payload of a record; a payload that is no bundle is one entry. Throws
 * `archive_damaged`.
 */
export function* walkEntries(payload: Buffer, record: number): Generator<{ at: number; length: number }> {
  if (payload[0] !== BUNDLE) {
    yield { at: 0, length: payload.length };
    return;
  }
  for (let at = 1; at < payload.length; ) {
    const length = at + LENGTH_BYTES <= payload.length ? payload.readUInt32BE(at) : 0;
    at += LENGTH_BYTES;
    if (length === 0 || at + length > payload.length) throw createDamagedError(record);
    yield { at, length };
    at += length;
  }
}

/**
 * Whether these first bytes of a payload can be those of a bundle: its kind, a length that fits, and the kind of an
 * entry.
 */
export function looksLikeBundle(start: Buffer, length: number): boolean {
  if (start[0] !== BUNDLE || start.length < 2 + LENGTH_BYTES) return false;
  const first = start.readUInt32BE(1);
  const kind = start[1 + LENGTH_BYTES] ?? 0;
  return first > 0 && first + 1 + LENGTH_BYTES <= length && kind >= 1 && kind < BUNDLE;
}
