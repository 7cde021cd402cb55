/**
 * True where a name is no text: it holds bytes that are not UTF-8, or control characters. `raw` is also set for a text
 * that only spells an escaped byte, in which each run of backslashes before `xhh` has an even length.
 */
export const BINARY_NAME_SQL = `(raw IS NOT NULL AND regexp_matches(name, '^\\\\java\\\\|(?:^|[^\\\\])(?:\\\\\\\\)*\\\\x[0-9a-f]{2}'))`;
