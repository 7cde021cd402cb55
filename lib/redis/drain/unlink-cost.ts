import { isDumped } from '@/lib/model/deletions/archive';
import { isCompact } from './drain-small';

/** The server's own threshold: UNLINK frees up to this many elements in the main thread, however large they are. */
const FREED_AT_ONCE = 64;
/** Measured on Redis 7.0.15: a string of 512 MiB took 41–90 ms, a hash of 480 MB in 60 fields 26.6 ms. */
const STRING_MS_PER_MIB = 0.15;
const ELEMENTS_MS_PER_MIB = 0.058;
/**
 * Redis 8.0.6 frees every vector of a vector set in the main thread: 140 MB took 88 ms. The same is assumed for arrays.
 */
const DUMPED_MS_PER_MIB = 0.65;
/** The fixed cost of one UNLINK; keys with more elements are freed in the background. */
const MIN_MS = 0.02;
const MEBIBYTE = 1024 * 1024;

export interface KeyToFree {
  type: string | null;
  encoding: string | null;
  length: number | null;
  bytes: number | null;
}

/** Returns how long one UNLINK blocks the server, in ms. null = the memory of the key is not known. */
export function estimateUnlinkMs({ type, encoding, length, bytes }: KeyToFree): number | null {
  const size = type === 'string' ? (length ?? bytes) : bytes;
  if (size === null) return null;
  if (type === 'string') return MIN_MS + (size / MEBIBYTE) * STRING_MS_PER_MIB;
  if (isDumped(type)) return MIN_MS + (size / MEBIBYTE) * DUMPED_MS_PER_MIB;
  const atOnce = isCompact(encoding) || (length !== null && length <= FREED_AT_ONCE);
  return MIN_MS + (atOnce ? (size / MEBIBYTE) * ELEMENTS_MS_PER_MIB : 0);
}
