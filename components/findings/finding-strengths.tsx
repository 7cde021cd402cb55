import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import type { RuleFinding } from '@/lib/model/rules/findings';

/** The number of keys that violate the rule at each strength, if profiles of prefixes set other strengths. */
export function FindingStrengths({ finding }: { finding: RuleFinding }) {
  const t = useTranslations('findings');
  const tr = useTranslations('rules.strength');
  const f = useFormat();
  return finding.strengths?.map(({ strength, keys }) => (
    <span key={strength} className="block text-muted-foreground text-xs" title={t('strengthsHint')}>
      {tr(strength)}: {f.number(keys)}
    </span>
  ));
}
