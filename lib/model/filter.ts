import { z } from 'zod';
import { LAST_SLOT } from './last-slot';
import { refuseBadGlob } from './text/glob';

/**
 * Numbers are texts in URLs. Only texts that are numbers are converted: JavaScript would also convert an empty text,
 * blanks and `true`.
 */
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?$/i;
const asNumber = (value: unknown) => (typeof value === 'string' && NUMBER.test(value) ? Number(value) : value);
export const numeric = <T extends z.ZodType<number>>(shape: T) => z.preprocess(asNumber, shape);

/** The database uses whole numbers; no key has a value beyond these limits. */
const num = numeric(z.number().min(-Number.MAX_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER));
/** An empty list is refused: it would filter nothing, which the sender cannot have meant. */
const list = <T extends z.ZodType>(item: T) =>
  z.preprocess((v) => (typeof v === 'string' ? v.split(',').filter((s) => s !== '') : v), z.array(item).min(1).max(64));

const FLAGS: Record<string, boolean> = { true: true, '1': true, false: false, '0': false };
/** `true`, `1`, `false` or `0`; anything else is refused. */
export const flag = z.preprocess(
  (v) => (typeof v === 'string' && Object.hasOwn(FLAGS, v) ? FLAGS[v] : v),
  z.boolean().optional(),
);

/** Redis supports far fewer; a snapshot stores them as 32-bit numbers. */
const MAX_DATABASE = 65_535;
const MAX_NODE = 65_535;

/** The id of a rule of the catalogue (`N8`), or of a custom rule of a profile (`X-…`). */
export const RuleName = z.string().regex(/^([A-Z][0-9]{1,2}|X-[A-Za-z0-9-]{1,32})$/);

const GLOB_LENGTH = 256;
/** A valid pattern. */
export const GlobText = z.string().max(GLOB_LENGTH).superRefine(refuseBadGlob);

/**
 * The common filter of all reports and of the key list. It is part of the URL: strings are parsed to typed values.
 * `prefix` and `search` are in the display form of names (see snapshot row: invalid bytes as \xHH). Sizes in bytes,
 * idle time in seconds, expiry as seconds from the end of the scan.
 */
export const KeyFilter = z.object({
  prefix: z.string().max(4096).optional(),
  /** A text that names contain or, if it has wildcards, a pattern of whole names (lib/model/text/glob.ts). */
  search: GlobText.optional(),
  /** A folded path such as `user:{id}:profile`: matches every key whose template begins with it. */
  template: z.string().max(4096).optional(),
  /**
   * With prefix or template: only keys that end there. With a prefix that is the key of exactly this name, also if it is
   * empty; with both, keys that end at the template.
   */
  exact: flag,
  type: list(z.string().max(64)).optional(),
  encoding: list(z.string().max(64)).optional(),
  expiry: z.enum(['none', 'any', 'unknown', 'expired']).optional(),
  ttlMin: num.optional(),
  ttlMax: num.optional(),
  bytesMin: num.optional(),
  bytesMax: num.optional(),
  lengthMin: num.optional(),
  lengthMax: num.optional(),
  /** Bytes of the name itself. */
  nameBytesMin: num.optional(),
  nameBytesMax: num.optional(),
  /**
   * Estimated average bytes of one string of an element, for hashes, sets and sorted sets stored as hashtable or
   * skiplist whose memory and elements are known.
   */
  elementBytesMin: num.optional(),
  elementBytesMax: num.optional(),
  idleMin: num.optional(),
  idleMax: num.optional(),
  freqMin: num.optional(),
  freqMax: num.optional(),
  db: list(numeric(z.number().int().min(0).max(MAX_DATABASE))).optional(),
  node: list(numeric(z.number().int().min(0).max(MAX_NODE))).optional(),
  slotMin: numeric(z.number().int().min(0).max(LAST_SLOT)).optional(),
  slotMax: numeric(z.number().int().min(0).max(LAST_SLOT)).optional(),
  tag: z.string().max(4096).optional(),
  /** Only keys that violate one of these key rules (ids) under the policy of the instance, without exempted ones. */
  rule: list(RuleName).optional(),
  /** Only keys with a finding of this strength. */
  strength: list(z.enum(['mandatory', 'recommended', 'advice'])).optional(),
  /** Only keys that violate a rule they are exempted from; `rule` and `strength` then refer to such findings. */
  exempt: flag,
  /** Only keys under prefixes of this team; `-` = keys without an owner. */
  owner: z.string().max(80).optional(),
  /** Only keys above the bigkey thresholds of the instance's profile. */
  big: flag,
});
export type KeyFilter = z.infer<typeof KeyFilter>;
export const FILTER_NAMES = Object.keys(KeyFilter.shape) as (keyof KeyFilter)[];
