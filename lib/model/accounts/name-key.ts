/** Names of users, tokens, teams and owners that are one when nobody minds their case and how they were typed. */
export const nameKey = (name: string): string => name.normalize('NFKC').toLowerCase();
