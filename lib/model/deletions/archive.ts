/**
 * Types kept as the server's own DUMP of the whole key: a vector set cannot be read member by member without loss (its
 * graph, quantised vectors), an array by none of our servers.
 */
const DUMPED_TYPES = ['vectorset', 'array'] as const;
export type DumpedType = (typeof DUMPED_TYPES)[number];
export const isDumped = (type: string | null): type is DumpedType =>
  type !== null && (DUMPED_TYPES as readonly string[]).includes(type);
/**
 * A key of these types takes no more memory than this, or it cannot be archived: one command copies all of it. Measured
 * on redis 8.0.6, vector sets of 24 to 140 MB: DUMP 6 to 16 ms per MiB, RESTORE 3 to 43.
 */
export const MAX_DUMP_BYTES = 4 * 1024 * 1024;

/** Types that we can read, remove and build again. Everything else is a module's. */
export const ELEMENT_TYPES = ['string', 'hash', 'list', 'set', 'zset', 'stream', ...DUMPED_TYPES] as const;
export type ElementType = (typeof ELEMENT_TYPES)[number];
export const isElementType = (type: string | null): type is ElementType =>
  type !== null && (ELEMENT_TYPES as readonly string[]).includes(type);

/**
 * A run of elements as they were read from a key, before they are removed. The wire room makes and consumes it, the
 * vault keeps it, neither knows the other. A crash may leave runs that overlap: whoever builds the key again must take
 * each element once (same field, member or id: the same value; list and string: `start` tells the place).
 */
export interface ElementChunk {
  /** `groups`: a page of the consumer groups of a stream, one JSON text. */
  type: ElementType | 'groups';
  /** list: index of the first item · string: byte offset · elsewhere 0. */
  start: number;
  /** How many elements (fields, members, items, entries; bytes of a string). */
  elements: number;
  /**
   * hash: field, value, … · set: members · zset: member, score as the server printed it, … · list: items in order ·
   * string: one piece · vectorset, array: the answer to DUMP · stream: per entry its id, the number of texts that
   * follow (decimal), field, value, …
   */
  values: Buffer[];
  /** Hash-field expiries (epoch ms, null = none) in the order of the fields; absent where the hash has none. */
  expiries?: (number | null)[];
}

/** What was known of a key when it was taken out of the way; stands in front of its elements. */
export interface ArchivedKey {
  /** Number of the item within its deletion. */
  seq: number;
  name: Buffer;
  db: number;
  type: ElementType;
  encoding: string | null;
  /** Elements (bytes of a string) under the tombstone; null = unknown. */
  length: number | null;
  /** Epoch ms; null = no expiry. */
  expireAt: number | null;
  archivedAt: number;
  /** Streams: XINFO STREAM's last-generated-id, entries-added, max-deleted-entry-id. */
  stream?: { lastId: string; entriesAdded: number | null; maxDeletedId: string | null };
}

/** Written when every element of the key is in the archive. */
export interface ArchiveEnd {
  seq: number;
  /** Distinct elements that were archived. */
  elements: number;
}
