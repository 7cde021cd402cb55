/**
 * Computes which of the 16,384 slots a name belongs to: CRC16/XMODEM (poly 0x1021, init 0, no reflection) of the name,
 * or of its hash tag — the bytes between the first `{` and the first `}` after it, if there are any — modulo 16384. It
 * works on bytes; a name is never decoded. It runs once per key of a scan, so it is one pass without allocation.
 */

const OPEN = 0x7b;
const CLOSE = 0x7d;

const TABLE = new Uint16Array(256);
for (let byte = 0; byte < 256; byte++) {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
  TABLE[byte] = crc;
}

/** Computes the CRC16 of `bytes[from, to)`. `before` is the CRC of the preceding bytes. */
export function computeCrc16(bytes: Uint8Array, from = 0, to = bytes.length, before = 0): number {
  let crc = before;
  for (let i = from; i < to; i++) crc = ((crc << 8) & 0xffff) ^ TABLE[(crc >>> 8) ^ bytes[i]!]!;
  return crc;
}

/** Returns the slot 0…16383 of the name in `bytes[from, to)`. */
export function computeSlot(bytes: Uint8Array, from = 0, to = bytes.length): number {
  let crc = 0;
  for (let i = from; i < to; i++) {
    const byte = bytes[i]!;
    if (byte === OPEN) {
      const close = findClosingBrace(bytes, i + 1, to);
      // Without a `}`, or with nothing between the braces, the whole name counts, and no later `{` does.
      return (close > i + 1 ? computeCrc16(bytes, i + 1, close) : computeCrc16(bytes, from, to)) & 16383;
    }
    crc = ((crc << 8) & 0xffff) ^ TABLE[(crc >>> 8) ^ byte]!;
  }
  return crc & 16383;
}

/** Returns the tag that decides the slot, or null if the whole name does. The result shares memory with the name. */
export function parseHashTag(name: Buffer): Buffer | null {
  const open = name.indexOf(OPEN);
  if (open < 0) return null;
  const close = findClosingBrace(name, open + 1, name.length);
  return close > open + 1 ? name.subarray(open + 1, close) : null;
}

function findClosingBrace(bytes: Uint8Array, from: number, to: number): number {
  for (let i = from; i < to; i++) if (bytes[i] === CLOSE) return i;
  return -1;
}
