/** Whether a text asks for more than itself as a pattern (glob.ts): a sign that no backslash stands before. */
export const hasWildcard = (pattern: string): boolean => /^(?:[^\\*?[]|\\.)*[*?[]/s.test(pattern);

/** A name or a part of one, in its display form, as a pattern that means it and nothing else. */
export const escapeGlob = (name: string): string =>
  name.replace(/(?<!\\)\\+x[0-9a-f]{2}|[\\*?[]/g, (sign) => (sign.length > 1 ? sign : `\\${sign}`));
