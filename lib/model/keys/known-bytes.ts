/**
 * Returns the memory of some keys; null = unknown. Every key takes some memory, so a sum of 0 means that no size is
 * known.
 */
export const toKnownBytes = ({ keys, bytes }: { keys: number; bytes: number }): number | null =>
  keys > 0 && bytes === 0 ? null : bytes;
