import type { useTranslations } from 'use-intl';
import type { CustomRule } from '@/lib/model/rules/policy';

/** Describes what a team's own rule requires, in one line. `t`: messages below `profiles.custom`. */
export function formatCustomRule(rule: CustomRule, t: ReturnType<typeof useTranslations<'profiles.custom'>>): string {
  if (rule.check === 'regex') return `${t(rule.must === 'match' ? 'mustMatch' : 'mustNotMatch')} ${rule.pattern}`;
  if (rule.check === 'template') return rule.template;
  return [
    rule.types.length === 0 ? null : `${rule.types.join(', ')}:`,
    t(`columns.${rule.column}`),
    rule.atLeast === null ? null : `≥ ${rule.atLeast}`,
    rule.atMost === null ? null : `≤ ${rule.atMost}`,
  ]
    .filter(Boolean)
    .join(' ');
}
