/**
 * The types of Redis itself; modules have their own. Vector sets were added in Redis 8.0, where they are built like a
 * module type (OBJECT ENCODING reports `raw`), arrays in Redis 8.8.
 */
export const KEY_TYPES = ['string', 'hash', 'list', 'set', 'zset', 'stream', 'vectorset', 'array'] as const;
export type KeyType = (typeof KEY_TYPES)[number];

/** Types that few servers have yet. Lists of types omit them as long as nothing is known about the keys. */
export const LATE_TYPES: ReadonlySet<KeyType> = new Set<KeyType>(['vectorset', 'array']);

/** Whether it is the type of a module: its MEMORY USAGE is what the module reports, which may be far too low. */
export const isModuleType = (type: string | null): boolean =>
  type !== null && !(KEY_TYPES as readonly string[]).includes(type);
