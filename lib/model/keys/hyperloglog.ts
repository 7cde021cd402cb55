export type HyperloglogEncoding = 'dense' | 'sparse';

const MAGIC = [0x48, 0x59, 0x4c, 0x4c];
export const HYPERLOGLOG_HEADER_BYTES = 16;

/**
 * A HyperLogLog is a string for the server; its header says what it is: `HYLL`, then 0 for dense or 1 for sparse. Of
 * the beginning of a value; null = none, which PFCOUNT would refuse.
 */
export function hyperloglogEncoding(beginning: Uint8Array): HyperloglogEncoding | null {
  if (beginning.length < HYPERLOGLOG_HEADER_BYTES || MAGIC.some((byte, at) => beginning[at] !== byte)) return null;
  return beginning[4] === 0 ? 'dense' : beginning[4] === 1 ? 'sparse' : null;
}
