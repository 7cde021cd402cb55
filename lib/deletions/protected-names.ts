import { config } from '@/lib/config';
import { isOurKey } from '@/lib/redis/trash-name';
import type { Candidate } from './candidate';

/** Matches a display name against `*` and `?` from left to right, without a regular expression that could run away. */
function matches(pattern: string, name: string): boolean {
  let at = 0;
  let from = 0;
  let star = -1;
  let resume = 0;
  while (from < name.length) {
    const sign = pattern[at];
    if (sign === '*') {
      star = at++;
      resume = from;
    } else if (sign === '?' || sign === name[from]) {
      at++;
      from++;
    } else if (star >= 0) {
      at = star + 1;
      from = ++resume;
    } else return false;
  }
  while (pattern[at] === '*') at++;
  return at === pattern.length;
}

/** Keys that no plan touches: those of a protected pattern, and ours. */
export function protection(): (key: Candidate) => 'protected' | 'ours' | null {
  const patterns = config.protectedPatterns;
  return (key) => {
    if (isOurKey(key.raw)) return 'ours';
    return patterns.some((pattern) => matches(pattern, key.name)) ? 'protected' : null;
  };
}
