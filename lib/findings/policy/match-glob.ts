import { wellFormed } from '@/lib/key-query/well-formed';

/**
 * Whether a glob means the whole name, as `globPattern` does in the database: `*` any text, `?` one character. Only the
 * last star is ever taken back, so that a glob of many stars costs length times length and never more.
 */
export function matchGlob(glob: string, name: string): boolean {
  const [wanted, given] = [[...wellFormed(glob)], [...wellFormed(name)]];
  let at = 0;
  let star = -1;
  let taken = 0;
  for (let i = 0; i < given.length; ) {
    if (wanted[at] === '*') {
      star = at++;
      taken = i;
    } else if (at < wanted.length && (wanted[at] === '?' || wanted[at] === given[i])) {
      at++;
      i++;
    } else if (star >= 0) {
      at = star + 1;
      i = ++taken;
    } else return false;
  }
  while (wanted[at] === '*') at++;
  return at === wanted.length;
}
