/**
 * Returns SQL for the effective hash tag: the text between the first `{` and the first `}` after it, or NULL if there
 * is none or it is empty. `foo{}{bar}` has none, `foo{{bar}}zap` has `{bar`, `foo{bar}{zap}` has `bar`. It is the same
 * for display forms and for bytes, because braces are ASCII and escapes contain none. `column` is a column of
 * Colonnade, never a user's text.
 */
export function hashTagSql(column: string): string {
  return `CASE WHEN contains(${column}, '{') THEN nullif(regexp_extract(${column}, '^[^{]*\\{([^}]+)\\}', 1), '') END`;
}
