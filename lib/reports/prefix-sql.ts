/**
 * The prefix by which storms, idle keys and missing expiry are told apart: the segments before the last delimiter, but
 * at most two, and never an id as the second. `shop:user:{id}` → `shop:user:`, `session:{id}` → `session:`, `a` → ''.
 * Grouping by it must stay cheap over millions of rows, so it looks only at the first byte of the second segment.
 */
export function prefixSql(separator: string): string {
  const first = `split_part(name, ${separator}, 1)`;
  const second = `split_part(name, ${separator}, 2)`;
  return `CASE WHEN NOT contains(name, ${separator}) THEN ''
    WHEN split_part(name, ${separator}, 3) <> '' AND ${second} <> '' AND NOT regexp_matches(${second}, '[0-9]')
    THEN concat(${first}, ${separator}, ${second}, ${separator})
    ELSE concat(${first}, ${separator}) END`;
}
