/**
 * The least number of characters of a password; a separate file, because pages do not load the schemas of accounts.ts.
 */
export const MIN_PASSWORD = 12;
