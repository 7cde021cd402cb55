/**
 * How long the strings of a key in a full table (hashtable, skiplist) are on average, from what a scan knows: memory,
 * elements and the length of the name. Taken away from the memory: the table, its entries and the headers of strings as
 * Redis allocates them with jemalloc; what is left are the strings. An estimate, for keys whose memory and number of
 * elements are known.
 */
/** Bytes as MEMORY USAGE counts them. */
const DICT = 56;
const DICT_ENTRY = 24;
/** zset, zskiplist and the first node of the skiplist, which has all levels. */
const SKIPLIST = 16 + 32 + 640;
/** A node with its levels: one and a third on average, in the sizes that are allocated. */
const SKIPLIST_NODE = 46;
/** Header and end of a string, and what its allocation leaves free on average. */
export const STRING_BYTES = 6.5;

export const IN_TABLE_SQL = `((encoding = 'hashtable' AND type IN ('hash', 'set')) OR (encoding = 'skiplist' AND type = 'zset'))`;
/** Name with its string, the entry of the key space and the object. */
export const OWN_BYTES_SQL = `(name_bytes + ${STRING_BYTES + DICT_ENTRY + 16})`;
const TABLE_SQL = `(${DICT} + 8 * pow(2, ceil(log2(greatest(length, 4)))))`;
/** Of one element: its strings as they are allocated. */
export const ALLOCATED_SQL = `((bytes - ${OWN_BYTES_SQL} - ${TABLE_SQL} - CASE type WHEN 'zset' THEN ${SKIPLIST} ELSE 0 END) / length - ${DICT_ENTRY}
    - CASE type WHEN 'zset' THEN ${SKIPLIST_NODE} ELSE 0 END)`;
/** A field and its value are two. */
export const STRINGS_SQL = `CASE type WHEN 'hash' THEN 2 ELSE 1 END`;
/** Of a row with `allocated` and `strings`. */
export const stringSql = (allocated: string, strings: string) =>
  `greatest(1, ${allocated} / ${strings} - ${STRING_BYTES})`;

/** NULL: not in a table, or not known. */
export const ELEMENT_BYTES_SQL = `(CASE WHEN ${IN_TABLE_SQL} AND length > 0 AND bytes IS NOT NULL
  THEN ${stringSql(ALLOCATED_SQL, `(${STRINGS_SQL})`)} END)`;
