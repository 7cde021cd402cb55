/**
 * Returns the effective hash tag: the text between the first `{` and the first `}` after it, or null if there is none
 * or it is empty. `foo{}{bar}` has none, `foo{{bar}}zap` has `{bar`, `foo{bar}{zap}` has `bar`. It is the same for
 * display forms and for bytes, because braces are ASCII and escapes contain none.
 */
export function findHashTag(name: string): string | null {
  const open = name.indexOf('{');
  if (open < 0) return null;
  const close = name.indexOf('}', open + 1);
  return close > open + 1 ? name.slice(open + 1, close) : null;
}

/** Returns SQL that computes the same. `column` is a column of Colonnade, never a user's text. */
export function hashTagSql(column: string): string {
  return `CASE WHEN contains(${column}, '{') THEN nullif(regexp_extract(${column}, '^[^{]*\\{([^}]+)\\}', 1), '') END`;
}
