/** The types of Redis itself; modules have their own. */
export const KEY_TYPES = ['string', 'hash', 'list', 'set', 'zset', 'stream'] as const;
