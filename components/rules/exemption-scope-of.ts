import { hasWildcard } from '@/lib/model/text/escape-glob';

/**
 * Interprets a text as prefix or pattern. Wildcards make it a pattern, except in a prefix that came from a page or from
 * a stored exemption (`literal`): names may contain such characters, and as a pattern `a?b:` would match one name and
 * exempt nothing below it.
 */
export function exemptionScopeOf(
  text: string,
  literal: string | null,
): { prefix: string | null; pattern: string | null } {
  return text !== literal && hasWildcard(text) ? { prefix: null, pattern: text } : { prefix: text, pattern: null };
}
