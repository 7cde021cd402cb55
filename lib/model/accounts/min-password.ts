/** Characters of a password at least; apart from the shapes of accounts.ts, which pages do without. */
export const MIN_PASSWORD = 12;
