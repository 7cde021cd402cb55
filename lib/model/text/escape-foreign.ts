import { UNSEEN } from './refuse-unseen';

const FOREIGN = new RegExp(UNSEEN, 'gu');

/** Escapes each half of a surrogate pair separately, as JSON does. */
const escapeUnits = (char: string) =>
  Array.from({ length: char.length }, (_, i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, '0')}`).join('');

/**
 * Escapes text from a server, a file or a person wherever it is written as text: terminal, CSV, log. Control, invisible
 * and direction-changing characters are written as `\uXXXX`.
 */
export const escapeForeign = (text: string): string => text.replace(FOREIGN, escapeUnits);

/**
 * Escapes whole lines of a command's output in the same way. CI systems interpret some lines as commands: `##vso[…`,
 * `##teamcity[…` and `##[…` anywhere in a line, `::name::…` at its beginning. Their first character is written as
 * `\u0023` or `\u003a`, which in JSON means the same text as before.
 */
export const escapeOutput = (text: string): string =>
  text
    .replace(FOREIGN, (char) => (char === '\n' || char === '\t' ? char : escapeUnits(char)))
    .replace(/##(?=(?:[a-z]{1,20})?\[)/gi, '\\u0023#')
    .replace(/^(\s*)::/gm, '$1\\u003a:');
