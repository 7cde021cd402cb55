/** The database makes a join of a longer IN: every row goes through it, and they come in another order than before. */
const MAX_IN = 4;

/** Whether `column` is one of `values`, each a literal or a placeholder; NULL where the column is. */
export const amongSql = (column: string, values: readonly string[]): string =>
  values.length > MAX_IN ? `list_contains([${values.join(', ')}], ${column})` : `${column} IN (${values.join(', ')})`;

/** The same of words of ours. */
export const amongWordsSql = (column: string, words: readonly string[]): string =>
  amongSql(
    column,
    words.map((word) => `'${word}'`),
  );
