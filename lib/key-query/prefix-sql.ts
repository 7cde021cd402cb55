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
