import { ChevronRight } from 'lucide-react';
import { useLocale, useTranslations } from 'use-intl';
import { Card, CardHeader } from '@/components/ui/card';
import type { ProfileBody } from '@/lib/model/rules/policy';
import type { Catalogue } from '@/lib/model/rules/rules';
import { STANDARDS } from '@/lib/model/rules/vocabulary';

/** Where the standards disagree: what each says, and which of those rules are on in this profile. */
export function ContradictionsCard({ catalogue, body }: { catalogue: Catalogue; body: ProfileBody }) {
  const t = useTranslations('profiles');
  const locale = useLocale() === 'zh-CN' ? 'zh-CN' : 'en';
  return (
    <Card>
      <details className="group">
        <summary className="flex cursor-pointer list-none items-center rounded-lg pl-4 [&::-webkit-details-marker]:hidden">
          <ChevronRight className="size-4 shrink-0 transition-transform group-open:rotate-90" aria-hidden />
          <CardHeader
            className="min-w-0 flex-1 border-b-0 pl-2"
            title={t('contradictions', { count: catalogue.contradictions.length })}
            description={t('contradictionsIntro')}
          />
        </summary>
        <ul className="divide-y border-t">
          {catalogue.contradictions.map((one) => {
            const on = one.rules.filter((id) => body.rules[id]?.on);
            return (
              <li key={one.id} className="grid gap-x-6 gap-y-1 px-4 py-3 text-sm md:grid-cols-[16rem_minmax(0,1fr)]">
                <div>
                  <h3 className="font-medium">{one.text[locale].title}</h3>
                  <p className="text-muted-foreground text-xs">{one.text[locale].explanation}</p>
                </div>
                <div className="space-y-1">
                  <p className="flex flex-wrap gap-x-4 gap-y-0.5">
                    {STANDARDS.map((standard) =>
                      one.says[standard] ? (
                        <span key={standard}>
                          <span className="text-muted-foreground">{standard}</span> {one.says[standard]?.[locale]}
                        </span>
                      ) : null,
                    )}
                  </p>
                  <p className="text-muted-foreground text-xs">
                    {t('ours')} {one.ours[locale]}{' '}
                    {on.length > 0 ? t('hereOn', { rules: on.join(', ') }) : t('hereOff')}
                  </p>
                </div>
              </li>
            );
          })}
        </ul>
      </details>
    </Card>
  );
}
