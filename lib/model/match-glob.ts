/**
 * Matches a name against `*` (any text) and `?` (one character) from left to right, without a regular expression that
 * could run away. Characters are code points: half of an emoji is none.
 */
export function matchGlob(pattern: string, name: string): boolean {
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
