/**
 * SQL that is true if a name is not text: it contains bytes that are not UTF-8, or control characters. `raw` is also
 * set for a text that only looks like an escaped byte; there each run of backslashes before `xhh` has an even length.
 */
export const BINARY_NAME_SQL = `(raw IS NOT NULL AND regexp_matches(name, '^\\\\java\\\\|(?:^|[^\\\\])(?:\\\\\\\\)*\\\\x[0-9a-f]{2}'))`;
