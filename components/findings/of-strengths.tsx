import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import type { RuleFinding } from '@/lib/model/rules/findings';

/** How many keys break it at which strength, where profiles of prefixes take it otherwise. */
export function OfStrengths({ finding }: { finding: RuleFinding }) {
  const t = useTranslations('findings');
  const tr = useTranslations('rules.strength');
  const f = useFormat();
  return finding.strengths?.map(({ strength, keys }) => (
    <span key={strength} className="block text-muted-foreground text-xs" title={t('strengthsHint')}>
      {tr(strength)}: {f.number(keys)}
    </span>
  ));
}
