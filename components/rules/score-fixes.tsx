import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Link } from '@/components/ui/link';
import type { Score } from '@/lib/model/rules/findings';
import { RuleId } from './rule-id';
import { useRuleText } from './use-rule-text';

/** The fixes that raise the score most: each is the score computed without the findings of that rule. */
export function ScoreFixes({
  fixes,
  buildHref,
  max = 5,
}: {
  fixes: Score['fixes'];
  buildHref: (rule: string) => string;
  max?: number;
}) {
  const t = useTranslations('findings.score');
  const f = useFormat();
  const getRuleText = useRuleText();
  if (fixes.length === 0) return <p className="text-muted-foreground text-sm">{t('noFixes')}</p>;
  return (
    <ol className="divide-y text-sm">
      {fixes.slice(0, max).map(({ rule, title, gain, keys }) => (
        <li key={rule} className="flex items-center gap-2.5 py-1.5">
          <span className="num w-12 shrink-0 text-right font-medium text-success">+{f.decimal(gain, 1)}</span>
          <RuleId id={rule} />
          <Link href={buildHref(rule)} className="min-w-0 flex-1 hover:text-accent hover:underline">
            {getRuleText(rule, title).title}
          </Link>
          {keys === null ? null : (
            <span className="num shrink-0 text-muted-foreground text-xs">{t('keys', { count: keys })}</span>
          )}
        </li>
      ))}
    </ol>
  );
}
