import { hasWildcard } from '@/lib/model/text/escape-glob';

/**
 * What was written as "prefix or pattern". Wildcards make a pattern, except in a prefix that came from a page or from
 * what is stored: names may hold such signs, and as a pattern `a?b:` would match one name and exempt nothing below it.
 */
export function exemptionScopeOf(
  text: string,
  literal: string | null,
): { prefix: string | null; pattern: string | null } {
  return text !== literal && hasWildcard(text) ? { prefix: null, pattern: text } : { prefix: text, pattern: null };
}
