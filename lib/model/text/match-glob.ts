import { wellFormed } from './well-formed';

/**
 * Matches a whole name against `*` (any text) and `?` (one character) from left to right. Only the last star is ever
 * taken back, so that many stars cost length times length and never more. Characters are code points: half of an emoji
 * is none. The one matcher of globs: it guards protected keys, and exemptions mean the same in the database.
 */
export function matchGlob(glob: string, text: string): boolean {
  const pattern = wellFormed(glob);
  const name = wellFormed(text);
  let at = 0;
  let from = 0;
  let star = -1;
  let resume = 0;
  while (from < name.length) {
    const sign = pattern[at];
    if (sign === '*') {
      star = at++;
      resume = from;
    } else if (sign === '?') {
      at++;
      from += width(name, from);
    } else if (sign === name[from]) {
      at++;
      from++;
    } else if (star >= 0) {
      at = star + 1;
      resume += width(name, resume);
      from = resume;
    } else return false;
  }
  while (pattern[at] === '*') at++;
  return at === pattern.length;
}

const width = (text: string, at: number): number => ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
