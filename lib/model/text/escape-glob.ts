import { JAVA_STRING } from './java-string';

/** Whether a text asks for more than itself as a pattern (glob.ts): a sign that no backslash stands before. */
export const hasWildcard = (pattern: string): boolean => /^(?:[^\\*?[]|\\.)*[*?[]/s.test(pattern);

/** A name or the beginning of one, in its display form, as a pattern that means it and nothing else. */
export const escapeGlob = (name: string): string =>
  name.startsWith(JAVA_STRING)
    ? JAVA_STRING + escaped(name.slice(JAVA_STRING.length), IN_FORM)
    : escaped(name, AT_BEGINNING);

const IN_FORM = /(?<!\\)\\+x[0-9a-f]{2}|[\\*?[]/g;
const AT_BEGINNING = /^\\+(?=java\\)|(?<!\\)\\+x[0-9a-f]{2}|[\\*?[]/g;
const escaped = (form: string, signs: RegExp) => form.replace(signs, (sign) => (sign.length > 1 ? sign : `\\${sign}`));
