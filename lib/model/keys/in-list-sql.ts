/** DuckDB turns a longer IN into a join: every row passes through it, and the order of the rows changes. */
const MAX_IN = 4;

/** SQL for whether `column` is one of `values`, each a literal or a placeholder; NULL if the column is NULL. */
export const inListSql = (column: string, values: readonly string[]): string =>
  values.length > MAX_IN ? `list_contains([${values.join(', ')}], ${column})` : `${column} IN (${values.join(', ')})`;

/** The same for constant words, which are quoted without escaping. */
export const inWordsSql = (column: string, words: readonly string[]): string =>
  inListSql(
    column,
    words.map((word) => `'${word}'`),
  );
