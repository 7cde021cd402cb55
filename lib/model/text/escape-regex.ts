/** Escapes a text for a pattern of RE2 (DuckDB) or JavaScript. */
export const escapeRegex = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** Escapes a text for the inside of a character class; no other character has a meaning there. */
export const escapeForClass = (text: string) => text.replace(/[\\\][^-]/g, '\\$&');
