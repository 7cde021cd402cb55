import { foldSegment } from '@/lib/model/names/fold-segment';
import { TEMPLATE_DELIMITER } from '@/lib/snapshots/query/columns';
import type { Where } from './where-clause';

/**
 * SQL for the prefix by which storms, idle keys and missing expiry are grouped: the first segment, and also the second
 * if a third one follows and the second has no digit (ids mostly have one). `shop:user:17` → `shop:user:`,
 * `session:5f…` → `session:`, `a` → ''. It is one regular expression per row, because it runs over millions of rows.
 */
export function prefixSql(where: Where, delimiter: string): string {
  const d = delimiter.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  // For a delimiter of one character the character classes are exact and faster than the lazy form that longer
  // delimiters need.
  const single = Array.from(delimiter).length === 1 && !/[\\\]^-]/.test(delimiter);
  const pattern = single ? `^[^${delimiter}]*${d}(?:[^${delimiter}0-9]*${d})?` : `(?s)^.*?${d}(?:[^0-9]*?${d})?`;
  return `regexp_extract(name, ${where.bind(pattern)}::VARCHAR)`;
}

export const TEMPLATE_PREFIX_SQL = `regexp_extract(template, '^[^:]*:(?:[^:0-9{]*:)?')`;

/** The same for templates, so that a first segment with ids is one prefix: `user_17:cart` → `user_{int}:`. */
export function keyPrefixSql(where: Where, delimiter: string): string {
  if (delimiter !== TEMPLATE_DELIMITER) return prefixSql(where, delimiter);
  return TEMPLATE_PREFIX_SQL;
}

/** The same prefix, computed from the segments of a path as written. */
export function toPathPrefix(segments: readonly string[], texts: readonly (string | null)[]): string {
  if (segments.length === 1) return '';
  // Uses the form of the template: an id that is kept as text need not look like one (`a@b.org` has no digit).
  const [head, second] = segments.slice(0, 2).map((written, i) => {
    const text = texts[i];
    return typeof text === 'string' ? (foldSegment(text) ?? written) : written;
  }) as [string, string];
  return segments.length > 2 && !/[0-9{]/.test(second) ? `${head}:${second}:` : `${head}:`;
}
