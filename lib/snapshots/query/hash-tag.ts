/**
 * The effective hash tag: what stands between the first `{` and the first `}` after it, unless that is empty.
 * `foo{}{bar}` has none, `foo{{bar}}zap` has `{bar`, `foo{bar}{zap}` has `bar`.
 * Works on display forms as on bytes: braces are ASCII and escapes hold none, so cutting there is the same cut.
 */
export function hashTagOfName(name: string): string | null {
  const open = name.indexOf('{');
  if (open < 0) return null;
  const close = name.indexOf('}', open + 1);
  return close > open + 1 ? name.slice(open + 1, close) : null;
}

/** The same in SQL; `column` is one of Colonnade, never a user's text. */
export function hashTagSql(column: string): string {
  return `CASE WHEN contains(${column}, '{') THEN nullif(regexp_extract(${column}, '^[^{]*\\{([^}]+)\\}', 1), '') END`;
}
