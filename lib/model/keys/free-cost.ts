/**
 * How long the main thread is busy when it frees one key, in µs per element. Measured on 7.0.15 with 2M elements (mean
 * of the ranges): hash 860 ms, zset 360, set 457, list ~1 (few large nodes). Freeing is linear in the number of
 * allocations, so the figures scale by elements; compact encodings are one allocation. Streams free whole radix nodes
 * of ~100 entries; their figure is taken from lists, the nearest structure.
 */
export const FREE_MICROSECONDS: Readonly<Record<string, number>> = {
  hash: 0.43,
  zset: 0.18,
  set: 0.229,
  list: 0.0005,
  stream: 0.0005,
};
/**
 * A list before 3.2 has allocations for each element: 0.4 of the time of a hash, on 2.8.24 with members of 46 bytes.
 */
export const LINKED_LIST_MICROSECONDS = 0.17;
/** Encodings stored in one allocation; `listpackex` exists since 7.4, for hashes whose fields expire. */
export const COMPACT_ENCODINGS: readonly string[] = ['listpack', 'ziplist', 'intset', 'zipmap', 'listpackex'];
/** The time to free one allocation, ms. */
export const COMPACT_MS = 0.001;
/** A string of 512 MiB took 65 ms. */
export const STRING_MS_PER_BYTE = 65 / (512 * 1024 * 1024);
