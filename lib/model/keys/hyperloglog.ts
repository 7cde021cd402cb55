export type HyperloglogEncoding = 'dense' | 'sparse';

const MAGIC = [0x48, 0x59, 0x4c, 0x4c];
export const HYPERLOGLOG_HEADER_BYTES = 16;

/**
 * Returns the encoding of a HyperLogLog from the beginning of a value; null = it is not one, and PFCOUNT would refuse
 * it. For the server a HyperLogLog is a string; its header is `HYLL`, then 0 for dense or 1 for sparse.
 */
export function detectHyperloglog(beginning: Uint8Array): HyperloglogEncoding | null {
  if (beginning.length < HYPERLOGLOG_HEADER_BYTES || MAGIC.some((byte, at) => beginning[at] !== byte)) return null;
  return beginning[4] === 0 ? 'dense' : beginning[4] === 1 ? 'sparse' : null;
}
