import { useLocale, useTranslations } from 'use-intl';
import { RuleId } from '@/components/rules/rule-id';
import { StandardChips } from '@/components/rules/standards';
import { FoldedCard } from '@/components/ui/forms/folded-card';
import type { Catalogue } from '@/lib/model/rules/rules';

/** Reasons and definitions of the standards, which no profile turns on or off and no key violates. */
export function ReasonsCard({ catalogue }: { catalogue: Catalogue }) {
  const t = useTranslations('profiles');
  const locale = useLocale();
  const reasons = catalogue.rules.filter(({ kind }) => kind === 'reference');
  if (reasons.length === 0) return null;
  return (
    <FoldedCard title={t('reasons', { count: reasons.length })} description={t('reasonsIntro')}>
      <ul className="divide-y">
        {reasons.map(({ id, sources, text }) => (
          <li key={id} className="flex items-start gap-2.5 px-4 py-2.5 text-sm">
            <RuleId id={id} />
            <div className="min-w-0 flex-1">
              <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
                <h3 className="font-medium">{text[locale].title}</h3>
                <StandardChips sources={sources} />
              </div>
              <p className="mt-0.5 text-muted-foreground text-xs">
                {text[locale].why} {text[locale].fix}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </FoldedCard>
  );
}
