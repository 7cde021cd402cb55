/** A run of backslashes that would be read as an escaped byte. Each run is looked at once, however long it is. */
const LIKE_ESCAPE = /(?<!\\)\\+(?=x[0-9a-f]{2})/g;
/** At the beginning of a form, a run that would be read as the mark of a string of Java. */
const LIKE_JAVA = /^\\+(?=java\\)/;
const AT_END = /(?<!\\)\\+$/;

const double = (run: string) => run + run;

/**
 * Text as it stands in a display form, where `\xhh` is an escaped byte: backslashes that would be taken for one are
 * doubled. `beforeEscape`: an escaped byte follows.
 */
export const doubleBackslashes = (text: string, beforeEscape: boolean): string =>
  (beforeEscape ? text.replace(AT_END, double) : text).replace(LIKE_ESCAPE, double);

/** A whole form, unless it begins with the mark of a string of Java (java-string.ts). */
export const doubleBeforeJava = (form: string): string => form.replace(LIKE_JAVA, double);

/** A beginning of names that may end amid an escape, so that names begin with it which it does not mean. */
export const endsAmidEscape = (prefix: string): boolean => /\\(?:x[0-9a-f]?)?$|^\\+(?:j|ja|jav|java)$/.test(prefix);

/** What all names with this beginning begin with as they are shown: what stands behind the backslash may double it. */
export const shownBeginning = (prefix: string): string =>
  endsAmidEscape(prefix) ? prefix.slice(0, prefix.lastIndexOf('\\') + 1) : prefix;
