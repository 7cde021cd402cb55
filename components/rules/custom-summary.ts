import type { CustomRule } from '@/lib/model/policy';

/** What a rule of the team's own asks, in signs that need no language. */
export function customSummary(rule: CustomRule): string {
  if (rule.check === 'regex') return `${rule.must === 'match' ? '=~' : '!~'} ${rule.pattern}`;
  if (rule.check === 'template') return rule.template;
  return [
    rule.column,
    rule.atLeast === null ? null : `≥ ${rule.atLeast}`,
    rule.atMost === null ? null : `≤ ${rule.atMost}`,
  ]
    .filter(Boolean)
    .join(' ');
}
