/**
 * The types of Redis itself; modules have their own. Vector sets came with Redis 8.0, where they are built as a module
 * is (OBJECT ENCODING says `raw`), arrays with Redis 8.8.
 */
export const KEY_TYPES = ['string', 'hash', 'list', 'set', 'zset', 'stream', 'vectorset', 'array'] as const;
export type KeyType = (typeof KEY_TYPES)[number];

/** Types that few servers have so far. Where types are offered before anything is known of the keys, these are not. */
export const LATE_TYPES: ReadonlySet<KeyType> = new Set<KeyType>(['vectorset', 'array']);

/** Type of a module: what MEMORY USAGE says of its keys is what the module reports, which may be far too little. */
export const isModuleType = (type: string | null): boolean =>
  type !== null && !(KEY_TYPES as readonly string[]).includes(type);
