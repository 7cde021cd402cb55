/** Where a key becomes a bigkey. A profile sets them (lib/rules/bigkey-thresholds.ts). */
export interface BigkeyThresholds {
  /** Longest string, bytes. */
  stringBytes: number;
  /** Most elements of everything else. */
  elements: number;
  /** Most memory of everything else, bytes: few elements may weigh much, or their number may be unknown. */
  collectionBytes: number;
}

/** The numbers of the standards, 10 KB and 5000 elements; the memory of a collection is ours. */
export const STANDARD_THRESHOLDS: BigkeyThresholds = {
  stringBytes: 10 * 1024,
  elements: 5000,
  collectionBytes: 1024 * 1024,
};
