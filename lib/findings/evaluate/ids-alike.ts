import type { CompiledProfile, CompiledRule } from '@/lib/findings/policy/compile-policy';

/**
 * Which rules give plain names of one template, type and length the same verdict whatever their ids: those of the
 * catalogue that look at the name alone, unless a text among their parameters could be found in an id or reach into
 * one.
 */
export function idsAlike(rule: CompiledRule, profile: Pick<CompiledProfile, 'delimiter'>): boolean {
  return rule.entry?.idsMatter !== true && mayBeAlike(rule, profile);
}

/** A rule that gives them the same verdict but for templates in which `unlessIn` (RE2) is found. */
export interface HalfAlike {
  rule: CompiledRule;
  unlessIn: string;
}

export function halfAlikeOf(profile: Pick<CompiledProfile, 'delimiter' | 'keyRules'>): HalfAlike[] {
  // What is found in templates is written with colons.
  if (profile.delimiter !== ':') return [];
  return profile.keyRules.flatMap((rule) =>
    rule.entry?.idsMatterIn !== undefined && mayBeAlike(rule, profile)
      ? [{ rule, unlessIn: rule.entry.idsMatterIn }]
      : [],
  );
}

function mayBeAlike(rule: CompiledRule, profile: Pick<CompiledProfile, 'delimiter'>): boolean {
  if (rule.entry === null || !rule.nameOnly || /[0-9a-f]/i.test(profile.delimiter)) return false;
  // Signs are alike in words, and a dash stands in ids.
  const texts = Object.values(rule.params).flatMap((value) => (typeof value === 'number' ? [] : value));
  return texts.every((text) => !/[0-9:]/.test(text) && /[^a-f._-]/i.test(text));
}
