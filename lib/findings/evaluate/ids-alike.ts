import type { CompiledProfile, CompiledRule } from '@/lib/findings/policy/compile-policy';

/**
 * Which rules give plain names of one template, type and length the same verdict whatever their ids: those of the
 * catalogue that look at the name alone, unless a text among their parameters could be found in an id or reach into
 * one.
 */
export function idsAlike(rule: CompiledRule, profile: Pick<CompiledProfile, 'delimiter'>): boolean {
  if (rule.entry === null || rule.entry.idsMatter === true || !rule.nameOnly || /[0-9a-f]/i.test(profile.delimiter))
    return false;
  // Signs are alike in words, and a dash stands in ids.
  const texts = Object.values(rule.params).flatMap((value) => (typeof value === 'number' ? [] : value));
  return texts.every((text) => !/[0-9:]/.test(text) && /[^a-f._-]/i.test(text));
}
