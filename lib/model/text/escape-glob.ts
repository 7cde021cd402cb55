import { JAVA_STRING } from './java-string';

/** Writes a name or its beginning, given in display form, as a pattern that matches exactly that. */
export const escapeGlob = (name: string): string =>
  name.startsWith(JAVA_STRING)
    ? JAVA_STRING + escapeSigns(name.slice(JAVA_STRING.length), IN_FORM)
    : escapeSigns(name, AT_BEGINNING);

const IN_FORM = /(?<!\\)\\+x[0-9a-f]{2}|[\\*?[]/g;
// No name is shown with an odd number of them there, and as they are they would be no pattern.
const AT_BEGINNING = /^(?:\\\\)+(?=java\\)|(?<!\\)\\+x[0-9a-f]{2}|[\\*?[]/g;
const escapeSigns = (form: string, signs: RegExp) =>
  form.replace(signs, (sign) => (sign.length > 1 ? sign : `\\${sign}`));
