/**
 * One page of keys between the reader and the files. It is columnar, because creating an object per key would cost more
 * than reading the key. All arrays have at least `count` valid entries. Numbers below zero are states, never values.
 */

export const UNKNOWN = -1;
/** In `expireAt`: the key has no expiry (UNKNOWN means there that it could not be read). */
export const NO_EXPIRY = -2;
/**
 * The latest expiry that is stored (9999-12-31, epoch ms). A server accepts expiries of 292 million years; later ones
 * are stored as this, because no date, cursor or column of a reader holds more.
 */
export const MAX_EXPIRE_AT = 253_402_300_799_999;

export interface FactsPage {
  /** Index into the snapshot's node list. */
  node: number;
  db: number;
  count: number;
  /** The bytes of the name; for names over 4 KiB the first 512 bytes, while their length and hash are in `long`. */
  names: Buffer[];
  /** null if the server did not report it. */
  types: (string | null)[];
  encodings: (string | null)[];
  /** Epoch ms, NO_EXPIRY or UNKNOWN. */
  expireAt: Float64Array;
  /** MEMORY USAGE in bytes, or UNKNOWN. */
  bytes: Float64Array;
  /** Elements (or bytes of a string), or UNKNOWN. */
  length: Float64Array;
  idleSeconds: Float64Array;
  freq: Float64Array;
  /** The slot of the whole name, 0…16383. */
  slot: Uint16Array;
  /** Only for names over 4 KiB: index → their true length in bytes and the SHA-256 (hex) of the whole name. */
  long: Map<number, { nameBytes: number; sha256: string }> | null;
}
