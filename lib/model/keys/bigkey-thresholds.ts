/** The sizes above which a key is a bigkey. A profile sets them (lib/rules/bigkey-thresholds.ts). */
export interface BigkeyThresholds {
  /** The longest string, bytes. */
  stringBytes: number;
  /** The most elements of any other type. */
  elements: number;
  /** The most memory of any other type, bytes: few elements may be large, or their number may be unknown. */
  collectionBytes: number;
}

/**
 * The numbers of the standards are 10 KB and 5000 elements; the limit for the memory of a collection is Colonnade's.
 */
export const STANDARD_THRESHOLDS: BigkeyThresholds = {
  stringBytes: 10 * 1024,
  elements: 5000,
  collectionBytes: 1024 * 1024,
};
