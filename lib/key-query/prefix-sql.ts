import { foldedSegment } from '@/lib/model/names/folded-segment';
import { TEMPLATE_DELIMITER } from '@/lib/snapshots/query/columns';
import type { Where } from './where-clause';

/**
 * The prefix by which storms, idle keys and missing expiry are distinguished: the first segment, and the second when a
 * third follows and it holds no digit (ids mostly do). `shop:user:17` → `shop:user:`, `session:5f…` → `session:`, `a` →
 * ''. One regular expression per row, because this runs over millions of them.
 */
export function prefixSql(where: Where, delimiter: string): string {
  const d = delimiter.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  // With one character the classes are exact and faster than the lazy form that longer delimiters need.
  const single = Array.from(delimiter).length === 1 && !/[\\\]^-]/.test(delimiter);
  const pattern = single ? `^[^${delimiter}]*${d}(?:[^${delimiter}0-9]*${d})?` : `(?s)^.*?${d}(?:[^0-9]*?${d})?`;
  return `regexp_extract(name, ${where.bind(pattern)}::VARCHAR)`;
}

export const TEMPLATE_PREFIX_SQL = `regexp_extract(template, '^[^:]*:(?:[^:0-9{]*:)?')`;

/** The same of templates, so that a first segment with ids is one prefix: `user_17:cart` → `user_{int}:`. */
export function keyPrefixSql(where: Where, delimiter: string): string {
  if (delimiter !== TEMPLATE_DELIMITER) return prefixSql(where, delimiter);
  return TEMPLATE_PREFIX_SQL;
}

/** The same of the segments of a path, as written. */
export function prefixOfPath(segments: readonly string[], texts: readonly (string | null)[]): string {
  if (segments.length === 1) return '';
  // As the template has them: an id that stands as it is need not look like one (`a@b.org` has no digit).
  const [head, second] = segments.slice(0, 2).map((written, i) => {
    const text = texts[i];
    return typeof text === 'string' ? (foldedSegment(text) ?? written) : written;
  }) as [string, string];
  return segments.length > 2 && !/[0-9{]/.test(second) ? `${head}:${second}:` : `${head}:`;
}
