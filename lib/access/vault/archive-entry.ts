/**
 * Encodes entries as bytes. Elements are copied one by one into one buffer, because there are millions of them: no
 * object is created for each.
 */

import type { ArchivedKey, ArchiveEnd, ElementChunk } from '@/lib/model/deletions/archive';
import { createDamagedError, type Entry } from './archive-record';

const KIND = { key: 1, chunk: 2, end: 3, seal: 4 } as const;
/** A type is stored as its position in this list, so new types must be appended at the end. */
const TYPES: ElementChunk['type'][] = [
  ...(['string', 'hash', 'list', 'set', 'zset', 'stream', 'groups', 'vectorset', 'array'] as const),
];
/** Bytes of kind, seq, type, start, elements, and the numbers of values and expiries. */
const CHUNK_HEAD = 1 + 4 + 1 + 8 + 8 + 4 + 4;

export function encodeKeyEntry({ name, ...key }: ArchivedKey): Buffer {
  return encodeJson(KIND.key, { ...key, name: name.toString('base64') });
}
export const encodeEnd = (end: ArchiveEnd): Buffer => encodeJson(KIND.end, end);
export const encodeSeal = (): Buffer => Buffer.from([KIND.seal]);

const encodeJson = (kind: number, value: unknown) =>
  Buffer.concat([Buffer.from([kind]), Buffer.from(JSON.stringify(value))]);

export function encodeChunk(seq: number, chunk: ElementChunk): Buffer {
  const { values, expiries = [] } = chunk;
  let size = CHUNK_HEAD + expiries.length * 8;
  for (const value of values) size += 4 + value.length;
  const bytes = Buffer.allocUnsafe(size);
  let at = bytes.writeUInt8(KIND.chunk, 0);
  at = bytes.writeUInt32BE(seq, at);
  at = bytes.writeUInt8(TYPES.indexOf(chunk.type), at);
  at = bytes.writeDoubleBE(chunk.start, at);
  at = bytes.writeDoubleBE(chunk.elements, at);
  at = bytes.writeUInt32BE(values.length, at);
  at = bytes.writeUInt32BE(expiries.length, at);
  for (const value of values) {
    at = bytes.writeUInt32BE(value.length, at);
    value.copy(bytes, at);
    at += value.length;
  }
  for (const expiry of expiries) at = bytes.writeDoubleBE(expiry ?? -1, at);
  return bytes;
}

export function decodeEntry(bytes: Buffer, record: number): Entry {
  switch (bytes[0]) {
    case KIND.key: {
      const { name, ...key } = JSON.parse(bytes.toString('utf8', 1));
      return { kind: 'key', key: { ...key, name: Buffer.from(name, 'base64') } };
    }
    case KIND.chunk:
      return { kind: 'chunk', seq: bytes.readUInt32BE(1), chunk: decodeChunk(bytes) };
    case KIND.end:
      return { kind: 'end', end: JSON.parse(bytes.toString('utf8', 1)) };
    case KIND.seal:
      return { kind: 'seal' };
    default:
      throw createDamagedError(record);
  }
}

/** Reads what the index stores about a chunk, without its values. */
export function readChunkHead(bytes: Buffer): {
  seq: number;
  type: ElementChunk['type'];
  start: number;
  elements: number;
} {
  return {
    seq: bytes.readUInt32BE(1),
    type: TYPES[bytes.readUInt8(5)] ?? 'string',
    start: bytes.readDoubleBE(6),
    elements: bytes.readDoubleBE(14),
  };
}
/** The bytes at the beginning of an entry by which `looksLikeEntry` decides: kind, seq and type of a chunk. */
export const EARLY_BYTES = 6;

/**
 * Whether these first bytes of a payload of `length` bytes can be those of an entry. `knows` = whether a key with this
 * number can have chunks here.
 */
export function looksLikeEntry(start: Buffer, length: number, knows: (seq: number) => boolean): boolean {
  switch (start[0]) {
    case KIND.chunk:
      return start.length >= EARLY_BYTES && knows(start.readUInt32BE(1)) && (start[5] ?? TYPES.length) < TYPES.length;
    case KIND.key:
    case KIND.end:
      // Both are JSON objects.
      return start.toString('latin1', 1, 3) === '{"';
    case KIND.seal:
      return length === 1;
    default:
      return false;
  }
}

export const isChunk = (bytes: Buffer): boolean => bytes[0] === KIND.chunk;

function decodeChunk(bytes: Buffer): ElementChunk {
  const { type, start, elements } = readChunkHead(bytes);
  const values: Buffer[] = new Array(bytes.readUInt32BE(22));
  const expiries: (number | null)[] = new Array(bytes.readUInt32BE(26));
  let at = CHUNK_HEAD;
  for (let index = 0; index < values.length; index++) {
    const length = bytes.readUInt32BE(at);
    values[index] = bytes.subarray(at + 4, at + 4 + length);
    at += 4 + length;
  }
  for (let index = 0; index < expiries.length; index++, at += 8) {
    const time = bytes.readDoubleBE(at);
    expiries[index] = time < 0 ? null : time;
  }
  return { type, start, elements, values, ...(expiries.length > 0 && { expiries }) };
}
