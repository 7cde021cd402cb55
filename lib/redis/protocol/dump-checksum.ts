/**
 * A reply to DUMP ends in two bytes of version and eight of CRC-64 (Jones, as the server computes it, lowest byte
 * first) over everything before them. RESTORE accepts only a dump whose checksum is right.
 */

const CHECKSUM_BYTES = 8;
const VERSION_BYTES = 2;

export function isWholeDump(dump: Buffer): boolean {
  const end = dump.length - CHECKSUM_BYTES;
  if (end <= VERSION_BYTES) return false;
  const { low, high } = computeCrc64(dump, end);
  return dump.readUInt32LE(end) === low && dump.readUInt32LE(end + 4) === high;
}

/** Computes in halves of 32 bits: a BigInt for each of millions of bytes would take a second. */
function computeCrc64(bytes: Buffer, end: number): { low: number; high: number } {
  let low = 0;
  let high = 0;
  for (let at = 0; at < end; at++) {
    const entry = (low ^ (bytes[at] as number)) & 0xff;
    low = ((low >>> 8) | (high << 24)) ^ (LOW[entry] as number);
    high = (high >>> 8) ^ (HIGH[entry] as number);
  }
  return { low: low >>> 0, high: high >>> 0 };
}

/** The polynomial 0xad93d23594c935a9 with its bits reversed. */
const POLYNOMIAL = { low: 0xac4bc9b5, high: 0x95ac9329 };
const LOW = new Uint32Array(256);
const HIGH = new Uint32Array(256);
for (let entry = 0; entry < 256; entry++) {
  let low = entry;
  let high = 0;
  for (let bit = 0; bit < 8; bit++) {
    const carry = low & 1;
    low = (low >>> 1) | (high << 31);
    high >>>= 1;
    if (!carry) continue;
    low ^= POLYNOMIAL.low;
    high ^= POLYNOMIAL.high;
  }
  LOW[entry] = low;
  HIGH[entry] = high;
}
