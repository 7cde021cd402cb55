/** A run of backslashes that would be read as an escaped byte. Each run is examined once, however long it is. */
const LIKE_ESCAPE = /(?<!\\)\\+(?=x[0-9a-f]{2})/g;
/** At the beginning of a form, a run that would be read as the mark of a Java string. */
const LIKE_JAVA = /^\\+(?=java\\)/;
const AT_END = /(?<!\\)\\+$/;

const double = (run: string) => run + run;

/**
 * Writes text for a display form, where `\xhh` is an escaped byte: backslashes that would be taken for one are doubled.
 * `beforeEscape` = an escaped byte follows.
 */
export const doubleBackslashes = (text: string, beforeEscape: boolean): string =>
  (beforeEscape ? text.replace(AT_END, double) : text).replace(LIKE_ESCAPE, double);

/** Doubles the backslashes of a whole form that looks like a Java string but is not one (java-string.ts). */
export const doubleBeforeJava = (form: string): string => form.replace(LIKE_JAVA, double);

/** Whether a prefix may end within an escape, so that other names than those meant would begin with it. */
export const endsAmidEscape = (prefix: string): boolean => /\\(?:x[0-9a-f]?)?$|^\\+(?:j|ja|jav|java)$/.test(prefix);

/**
 * Returns the beginning that all displayed names with this prefix share: characters after a backslash may double it.
 */
export const toShownBeginning = (prefix: string): string =>
  endsAmidEscape(prefix) ? prefix.slice(0, prefix.lastIndexOf('\\') + 1) : prefix;
