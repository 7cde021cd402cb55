/**
 * The common filter as URL state. It uses the names and texts of the HTTP API, so that the address bar, the pages and
 * curl use the same parameters.
 */

import {
  parseAsArrayOf,
  parseAsBoolean,
  parseAsFloat,
  parseAsInteger,
  parseAsString,
  parseAsStringLiteral,
} from 'nuqs/server';
import type { KeyFilter } from '@/lib/model/filter';
import { STRENGTHS } from '@/lib/model/rules/vocabulary';

/** The keys without an expiry, with one, whose expiry could not be read, and that expired before the scan ended. */
export const EXPIRY_CLASSES = ['none', 'any', 'unknown', 'expired'] as const;
/** Messages of `filters` that name them. */
export const EXPIRY_LABELS = {
  none: 'expiryNone',
  any: 'expiryAny',
  unknown: 'expiryUnknown',
  expired: 'expiryExpired',
} as const;

export const FILTER_PARAMS = {
  prefix: parseAsString,
  search: parseAsString,
  template: parseAsString,
  exact: parseAsBoolean,
  type: parseAsArrayOf(parseAsString),
  encoding: parseAsArrayOf(parseAsString),
  expiry: parseAsStringLiteral(EXPIRY_CLASSES),
  ttlMin: parseAsFloat,
  ttlMax: parseAsFloat,
  bytesMin: parseAsFloat,
  bytesMax: parseAsFloat,
  lengthMin: parseAsFloat,
  lengthMax: parseAsFloat,
  idleMin: parseAsFloat,
  idleMax: parseAsFloat,
  nameBytesMin: parseAsFloat,
  nameBytesMax: parseAsFloat,
  elementBytesMin: parseAsFloat,
  elementBytesMax: parseAsFloat,
  freqMin: parseAsFloat,
  freqMax: parseAsFloat,
  db: parseAsArrayOf(parseAsInteger),
  node: parseAsArrayOf(parseAsInteger),
  slotMin: parseAsInteger,
  slotMax: parseAsInteger,
  tag: parseAsString,
  rule: parseAsArrayOf(parseAsString),
  strength: parseAsArrayOf(parseAsStringLiteral(STRENGTHS)),
  exempt: parseAsBoolean,
  owner: parseAsString,
  big: parseAsBoolean,
};
export const FILTER_KEYS = Object.keys(FILTER_PARAMS) as (keyof KeyFilter)[];

type Nullable<T> = { [K in keyof T]: T[K] | null };
/** A change of the filter: null removes a field, undefined leaves it unchanged. */
export type FilterPatch = Partial<Nullable<KeyFilter>>;

/** Drops values that are null, undefined or empty. */
export function toFilter(values: FilterPatch): KeyFilter {
  const isEmpty = (value: unknown) => value == null || value === '' || (Array.isArray(value) && value.length === 0);
  const fields = FILTER_KEYS.map((key) => [key, values[key]] as const);
  return Object.fromEntries(fields.filter(([, value]) => !isEmpty(value)));
}
