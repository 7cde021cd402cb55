/**
 * Estimates the average length of the strings of a key in a full table (hashtable, skiplist) from the facts of a scan:
 * memory, number of elements and length of the name. From the memory it subtracts the table, its entries and the
 * headers of strings as Redis allocates them with jemalloc; the rest are the strings. It needs keys whose memory and
 * number of elements are known.
 */

/** Bytes as MEMORY USAGE counts them. */
const DICT = 56;
const DICT_ENTRY = 24;
/** zset, zskiplist and the first node of the skiplist, which has all levels, in bytes. */
const SKIPLIST = 16 + 32 + 640;
/** Bytes of a node with its levels: 1⅓ levels on average, in the sizes that jemalloc allocates. */
const SKIPLIST_NODE = 46;
/** Bytes of a string's header and terminator, and of the average unused part of its allocation. */
export const STRING_BYTES = 6.5;

export const IN_TABLE_SQL = `((encoding = 'hashtable' AND type IN ('hash', 'set')) OR (encoding = 'skiplist' AND type = 'zset'))`;
/** Bytes of the key itself: the name as a string, the entry in the keyspace and the object. */
export const OWN_BYTES_SQL = `(name_bytes + ${STRING_BYTES + DICT_ENTRY + 16})`;
const TABLE_SQL = `(${DICT} + 8 * pow(2, ceil(log2(greatest(length, 4)))))`;
/** Bytes of one element's strings as they are allocated. */
export const ALLOCATED_SQL = `((bytes - ${OWN_BYTES_SQL} - ${TABLE_SQL} - CASE type WHEN 'zset' THEN ${SKIPLIST} ELSE 0 END) / length - ${DICT_ENTRY}
    - CASE type WHEN 'zset' THEN ${SKIPLIST_NODE} ELSE 0 END)`;
/** Number of strings per element: a field and its value are two. */
export const STRINGS_SQL = `CASE type WHEN 'hash' THEN 2 ELSE 1 END`;
/** Average length of one string, bytes, for a row with `allocated` and `strings`. */
export const stringSql = (allocated: string, strings: string) =>
  `greatest(1, ${allocated} / ${strings} - ${STRING_BYTES})`;

/** NULL: the key is not in a full table, or its facts are not known. */
export const ELEMENT_BYTES_SQL = `(CASE WHEN ${IN_TABLE_SQL} AND length > 0 AND bytes IS NOT NULL
  THEN ${stringSql(ALLOCATED_SQL, `(${STRINGS_SQL})`)} END)`;
