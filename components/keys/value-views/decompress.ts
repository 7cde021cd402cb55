import { Gunzip, Unzlib } from 'fflate';

/** At most this much of a decompressed value is read, in bytes. */
export const MAX_DECOMPRESSED = 65_536;
/** The input is read in steps of this many bytes, so that a bomb yields little more than MAX_DECOMPRESSED. */
const STEP = 64;

/** Cm_Cache of Magento writes this before what `gzcompress` returns. */
const MAGENTO = [0x67, 0x7a, 0x3a, 0x1f, 0x8b];
const isGzip = (bytes: Uint8Array) => bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 0x08;
/** RFC 1950: the method, the window, and the check of the two bytes. */
const isZlib = (bytes: Uint8Array) => bytes.length > 2 && bytes[0] === 0x78 && (0x7800 + bytes[1]!) % 31 === 0;

/**
 * Decompresses gzip or zlib, as far as MAX_DECOMPRESSED. `cut`: the value is longer than these bytes. null: the bytes
 * are neither, are damaged, or end before the value does. `whole` is false if there is more.
 */
export function decompress(bytes: Uint8Array, cut: boolean): { bytes: Uint8Array; whole: boolean } | null {
  const packed = MAGENTO.every((byte, at) => bytes[at] === byte) ? bytes.subarray(MAGENTO.length) : bytes;
  if (!isGzip(packed) && !isZlib(packed)) return null;
  const parts: Uint8Array[] = [];
  let size = 0;
  const collect = (part: Uint8Array) => {
    parts.push(part);
    size += part.length;
  };
  const stream = isGzip(packed) ? new Gunzip(collect) : new Unzlib(collect);
  let at = 0;
  try {
    for (; at < packed.length && size < MAX_DECOMPRESSED; at += STEP)
      stream.push(packed.subarray(at, at + STEP), !cut && at + STEP >= packed.length);
  } catch {
    return null;
  }
  if (size === 0) return null;
  const joined = new Uint8Array(size);
  let to = 0;
  for (const part of parts) {
    joined.set(part, to);
    to += part.length;
  }
  const whole = !cut && at >= packed.length && size <= MAX_DECOMPRESSED;
  return { bytes: joined.subarray(0, MAX_DECOMPRESSED), whole };
}
