/**
 * Which characters may separate the segments of a name. A letter, a digit, a brace or a backslash would split the token
 * of an id (`{int}`) or its escape, so a folded path would select other keys than those that the tree counted in it.
 * Invisible characters and halves of characters are not allowed either.
 */
export const DELIMITER = /^[^A-Za-z0-9{}\\\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]+$/u;
export const NO_DELIMITER =
  'letters, digits, braces, backslashes and characters that cannot be seen part no name: ids are folded to tokens such as {int}.';
