import { z } from 'zod';

const num = z.coerce.number().finite();
const list = <T extends z.ZodType>(item: T) =>
  z.preprocess((v) => (typeof v === 'string' ? v.split(',').filter((s) => s !== '') : v), z.array(item).max(64));

const flag = z.preprocess(
  (v) => (v === 'true' || v === '1' || v === true ? true : v === undefined ? undefined : false),
  z.boolean().optional(),
);

export const KEY_TYPES = ['string', 'hash', 'list', 'set', 'zset', 'stream'] as const;

/**
 * The common filter of every report and of the key list. It lives in the URL: strings in, typed values out.
 * `prefix` and `search` are in the display form of names (see snapshot row: invalid bytes as \xHH). Sizes in bytes,
 * idle in seconds, expiry as seconds from the end of the scan.
 */
export const KeyFilter = z.object({
  prefix: z.string().max(4096).optional(),
  /** Plain substring of the display name, case-insensitive. */
  search: z.string().max(256).optional(),
  /** Folded path such as `user:{id}:profile`: matches every key whose template begins with it. */
  template: z.string().max(4096).optional(),
  type: list(z.string().max(64)).optional(),
  encoding: list(z.string().max(64)).optional(),
  expiry: z.enum(['none', 'any', 'unknown', 'expired']).optional(),
  ttlMin: num.optional(),
  ttlMax: num.optional(),
  bytesMin: num.optional(),
  bytesMax: num.optional(),
  lengthMin: num.optional(),
  lengthMax: num.optional(),
  idleMin: num.optional(),
  idleMax: num.optional(),
  freqMin: num.optional(),
  freqMax: num.optional(),
  db: list(z.coerce.number().int().min(0)).optional(),
  node: list(z.coerce.number().int().min(0)).optional(),
  slotMin: num.int().min(0).max(16383).optional(),
  slotMax: num.int().min(0).max(16383).optional(),
  tag: z.string().max(4096).optional(),
  /** Only keys that break one of these key rules (ids) under the policy of the instance, exempted ones not counted. */
  rule: list(z.string().regex(/^([A-Z][0-9]{1,2}|X-[A-Za-z0-9-]{1,32})$/)).optional(),
  /** Only keys with a finding of this strength. */
  strength: list(z.enum(['mandatory', 'recommended', 'advice'])).optional(),
  /** Only keys that break a rule they are exempted from; `rule` and `strength` then ask for such findings. */
  exempt: flag,
  /** Only keys under prefixes of this team; `-` = nobody's. */
  owner: z.string().max(80).optional(),
  /** Only keys above the bigkey thresholds of the instance's profile. */
  big: flag,
});
export type KeyFilter = z.infer<typeof KeyFilter>;
export const FILTER_NAMES = Object.keys(KeyFilter.shape) as (keyof KeyFilter)[];
