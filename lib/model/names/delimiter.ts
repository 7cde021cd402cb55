/**
 * What parts a name into segments. A letter, a digit, a brace or a backslash would cut through the token of an id
 * (`{int}`) or what escapes it, so a folded path would mean other keys than those the tree counted in it.
 */
export const DELIMITER = /^[^A-Za-z0-9{}\\]+$/;
export const NO_DELIMITER =
  'letters, digits, braces and backslashes part no name, because they stand in folded ids such as {int}.';
