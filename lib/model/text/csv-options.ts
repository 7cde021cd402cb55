import { escapeForeign } from './escape-foreign';

/**
 * The options of every CSV file: texts that a spreadsheet would run as a formula get an apostrophe in front, and
 * characters that are invisible or change the text direction are escaped.
 */
export const CSV_OPTIONS = { escape_formulas: true, cast: { string: (text: string) => escapeForeign(text) } };
