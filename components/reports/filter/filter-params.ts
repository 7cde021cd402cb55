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

export const EXPIRY_CLASSES = ['none', 'any', 'unknown', 'expired'] as const;

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
export type FilterPatch = Partial<Nullable<KeyFilter>>;

/** Drops values that are null or empty. */
export function toFilter(values: FilterPatch): KeyFilter {
  const filter: Record<string, unknown> = {};
  for (const key of FILTER_KEYS) {
    const value = values[key];
    if (value === null || value === undefined || value === '') continue;
    if (Array.isArray(value) && value.length === 0) continue;
    filter[key] = value;
  }
  return filter as KeyFilter;
}

/** The query string for links and exports; lists are joined by commas. */
export function toSearch(values: object): string {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(values)) {
    if (value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) continue;
    params.set(key, Array.isArray(value) ? value.join(',') : String(value));
  }
  return params.size > 0 ? `?${params}` : '';
}
