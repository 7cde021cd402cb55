import { JAVA_STRING } from './java-string';

/** Writes a name or its beginning, given in display form, as a pattern that matches exactly that. */
export const escapeGlob = (name: string): string =>
  name.startsWith(JAVA_STRING)
    ? JAVA_STRING + escapeSigns(name.slice(JAVA_STRING.length), IN_FORM)
    : escapeSigns(name, AT_BEGINNING);

/** An escaped byte, whose escape means the same in a pattern, or one sign to escape. */
const IN_FORM = /(?<!\\)\\+x[0-9a-f]{2}|[\\*?[]/g;
/**
 * At the beginning also doubled backslashes before `java\`, which mean the same in a pattern. An odd number of them
 * never occurs there in a display form and would not be a valid pattern, so these are escaped one by one.
 */
const AT_BEGINNING = /^(?:\\\\)+(?=java\\)|(?<!\\)\\+x[0-9a-f]{2}|[\\*?[]/g;
const escapeSigns = (form: string, signs: RegExp) =>
  form.replace(signs, (sign) => (sign.length > 1 ? sign : `\\${sign}`));
