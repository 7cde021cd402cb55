import { escapeForeign } from './escape-foreign';

/**
 * How every CSV is written: texts that a spreadsheet would run as a formula begin with an apostrophe, and characters
 * that nobody can see or that turn text around are written out.
 */
export const CSV_OPTIONS = { escape_formulas: true, cast: { string: (text: string) => escapeForeign(text) } };
