import type { CompiledProfile, CompiledRule } from '@/lib/rules/policy/compile-policy';

/**
 * Whether a rule gives all plain names of one template, type and length the same verdict, whatever their ids. This is
 * true of catalogue rules that look only at the name, unless a text among their parameters could match inside an id or
 * across its edge.
 */
export function areIdsAlike(rule: CompiledRule, profile: Pick<CompiledProfile, 'delimiter'>): boolean {
  if (rule.entry === null || rule.entry.idsMatter === true || !rule.nameOnly || /[0-9a-f]/i.test(profile.delimiter))
    return false;
  // A text cannot match in an id if it has no digit and no colon, and at least one character other than a–f, dot,
  // underscore and dash. UUIDs contain dashes.
  const texts = Object.values(rule.params).flatMap((value) => (typeof value === 'number' ? [] : value));
  return texts.every((text) => !/[0-9:]/.test(text) && /[^a-f._-]/i.test(text));
}
