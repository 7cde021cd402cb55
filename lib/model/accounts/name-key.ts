/**
 * Returns the key by which names of users, tokens, teams and owners are compared, without regard to case and Unicode
 * form.
 */
export const toNameKey = (name: string): string => name.normalize('NFKC').toLowerCase();
