/**
 * Types that are archived as the server's own DUMP of the whole key: a vector set cannot be read member by member
 * without loss (its graph, quantised vectors), and an array on none of the supported servers.
 */
const DUMPED_TYPES = ['vectorset', 'array'] as const;
export type DumpedType = (typeof DUMPED_TYPES)[number];
export const isDumped = (type: string | null): type is DumpedType =>
  type !== null && (DUMPED_TYPES as readonly string[]).includes(type);
/**
 * A key of these types cannot be archived if it takes more memory than this, because one command copies all of it.
 * Measured on Redis 8.0.6 with vector sets of 24 to 140 MB: DUMP 6 to 16 ms per MiB, RESTORE 3 to 43.
 */
export const MAX_DUMP_BYTES = 4 * 1024 * 1024;

/** Types that Colonnade can read, remove and rebuild. All other types belong to modules. */
const ELEMENT_TYPES = ['string', 'hash', 'list', 'set', 'zset', 'stream', ...DUMPED_TYPES] as const;
export type ElementType = (typeof ELEMENT_TYPES)[number];
export const isElementType = (type: string | null): type is ElementType =>
  type !== null && (ELEMENT_TYPES as readonly string[]).includes(type);

/**
 * A run of elements as they were read from a key, before they are removed. `lib/redis` creates and consumes it, and
 * `lib/access/vault` stores it; neither depends on the other. After a crash runs may overlap, so a restore must take each
 * element once (same field, member or id: the same value; list and string: `start` gives the position).
 */
export interface ElementChunk {
  /** `groups`: a page of the consumer groups of a stream, one JSON text. */
  type: ElementType | 'groups';
  /** list: index of the first item · string: byte offset · otherwise 0. */
  start: number;
  /** The number of elements (fields, members, items, entries; bytes of a string). */
  elements: number;
  /**
   * hash: field, value, … · set: members · zset: member, score as the server printed it, … · list: items in order ·
   * string: one piece · vectorset, array: the reply to DUMP · stream: for each entry its id, the number of texts that
   * follow (decimal), field, value, …
   */
  values: Buffer[];
  /** Expiries of hash fields (epoch ms, null = none) in the order of the fields; absent if the hash has none. */
  expiries?: (number | null)[];
}

/** The facts of a key when it was renamed (tombstone); stored before its elements. */
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
  /** The number of distinct elements that were archived. */
  elements: number;
}
