'use client';
import { useLocale, useTranslations } from 'use-intl';
import { Card, CardHeader } from '@/components/ui/card';
import type { ProfileBody } from '@/lib/model/policy';
import { type Catalogue, STANDARDS } from '@/lib/model/rules';

/** Where the standards disagree, what each says, and which of those rules this profile has on. */
export function ContradictionsCard({ catalogue, body }: { catalogue: Catalogue; body: ProfileBody }) {
  const t = useTranslations('profiles');
  const locale = useLocale() === 'zh-CN' ? 'zh-CN' : 'en';
  return (
    <Card>
      <details>
        <summary className="cursor-pointer rounded-lg pl-4">
          <CardHeader
            className="inline-flex border-b-0 align-middle"
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
