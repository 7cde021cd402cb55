/**
 * What parts a name into segments. A letter, a digit, a brace or a backslash would cut through the token of an id
 * (`{int}`) or what escapes it, so a folded path would mean other keys than those the tree counted in it.
 * What cannot be seen, or is half a character, parts nothing either.
 */
export const DELIMITER = /^[^A-Za-z0-9{}\\\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]+$/u;
export const NO_DELIMITER =
  'letters, digits, braces, backslashes and characters that cannot be seen part no name: ids are folded to tokens such as {int}.';
