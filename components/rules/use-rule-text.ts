import { useLocale } from 'use-intl';
import { useRules } from '@/components/data/queries/policies/use-rules';
import type { RuleInfo, RuleText } from '@/lib/model/rules/rules';

/** A rule in the reader's language; a rule of the team's own has only the title it was given. */
export function useRuleText(): (id: string, title?: string | null) => RuleText & { info: RuleInfo | null } {
  const locale = useLocale() === 'zh-CN' ? 'zh-CN' : 'en';
  const { byId } = useRules();
  return (id, title) => {
    const info = byId.get(id) ?? null;
    return info ? { ...info.text[locale], info } : { title: title ?? id, why: '', fix: '', info: null };
  };
}
