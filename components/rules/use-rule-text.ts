import { useLocale } from 'use-intl';
import { useRules } from '@/components/data/queries/policies/use-rules';
import type { RuleInfo, RuleText } from '@/lib/model/rules/rules';

/** The text of a rule in the reader's language; a team's own rule has only the title that it was given. */
export function useRuleText(): (id: string, title?: string | null) => RuleText & { info: RuleInfo | null } {
  const locale = useLocale();
  const { byId } = useRules();
  return (id, title) => {
    const info = byId.get(id) ?? null;
    return info ? { ...info.text[locale], info } : { title: title ?? id, why: '', fix: '', info: null };
  };
}
