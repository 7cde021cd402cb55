import { ChevronRight } from 'lucide-react';
import { useLocale, useTranslations } from 'use-intl';
import { RuleId } from '@/components/rules/rule-id';
import { StandardChips } from '@/components/rules/standard-chips';
import { Card, CardHeader } from '@/components/ui/card';
import type { Catalogue } from '@/lib/model/rules/rules';

/** Reasons and definitions of the standards, which no profile turns on or off and no key violates. */
export function ReasonsCard({ catalogue }: { catalogue: Catalogue }) {
  const t = useTranslations('profiles');
  const locale = useLocale() === 'zh-CN' ? 'zh-CN' : 'en';
  const reasons = catalogue.rules.filter(({ kind }) => kind === 'reference');
  if (reasons.length === 0) return null;
  return (
    <Card>
      <details className="group">
        <summary className="flex cursor-pointer list-none items-center rounded-lg pl-4 [&::-webkit-details-marker]:hidden">
          <ChevronRight className="size-4 shrink-0 transition-transform group-open:rotate-90" aria-hidden />
          <CardHeader
            className="min-w-0 flex-1 border-b-0 pl-2"
            title={t('reasons', { count: reasons.length })}
            description={t('reasonsIntro')}
          />
        </summary>
        <ul className="divide-y border-t">
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
      </details>
    </Card>
  );
}
