import { foldSegment } from '@/lib/model/names/fold-segment';
import { escapeRegex } from '@/lib/model/text/escape-regex';
import { TEMPLATE_DELIMITER } from '@/lib/snapshots/query/columns';
import type { Where } from './where-clause';

/**
 * SQL for the prefix by which storms, idle keys and missing expiry are grouped: the first segment, and also the second
 * if a third one follows and the second has no digit (ids mostly have one). `shop:user:17` → `shop:user:`,
 * `session:5f…` → `session:`, `a` → ''. It is one regular expression per row, because it runs over millions of rows.
 */
export function prefixSql(where: Where, delimiter: string): string {
  const escaped = escapeRegex(delimiter);
  // For a delimiter of one character the character classes are exact and faster than the lazy form that longer
  // delimiters need.
  const isSingle = Array.from(delimiter).length === 1 && !/[\\\]^-]/.test(delimiter);
  const pattern = isSingle
    ? `^[^${delimiter}]*${escaped}(?:[^${delimiter}0-9]*${escaped})?`
    : `(?s)^.*?${escaped}(?:[^0-9]*?${escaped})?`;
  return `regexp_extract(name, ${where.bind(pattern)}::VARCHAR)`;
}

/** A prefix ends within this many segments of a name. */
export const PREFIX_SEGMENTS = 2;

/** SQL for the same prefix of a template with the delimiter `:`, in which every id has a `{`. */
export const TEMPLATE_PREFIX_SQL = `regexp_extract(template, '^[^:]*:(?:[^:0-9{]*:)?')`;

/**
 * SQL for the prefix of a key, by its template if possible, so that a first segment with ids is one prefix:
 * `user_17:cart` → `user_{int}:`.
 */
export const keyPrefixSql = (where: Where, delimiter = TEMPLATE_DELIMITER): string =>
  delimiter === TEMPLATE_DELIMITER ? TEMPLATE_PREFIX_SQL : prefixSql(where, delimiter);

/** Computes the same prefix from the segments of a path of the roll-up, and the texts that they stand for. */
export function toPathPrefix(segments: readonly string[], texts: readonly (string | null)[]): string {
  if (segments.length === 1) return '';
  // Uses the form of the template: an id that is kept as text need not look like one (`a@b.org` has no digit).
  const [first, second] = segments.slice(0, PREFIX_SEGMENTS).map((written, i) => {
    const text = texts[i];
    return typeof text === 'string' ? (foldSegment(text) ?? written) : written;
  }) as [string, string];
  return segments.length > 2 && !/[0-9{]/.test(second) ? `${first}:${second}:` : `${first}:`;
}
