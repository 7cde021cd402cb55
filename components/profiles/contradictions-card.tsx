import { useLocale, useTranslations } from 'use-intl';
import { FoldedCard } from '@/components/ui/forms/folded-card';
import type { ProfileBody } from '@/lib/model/rules/policy';
import type { Catalogue } from '@/lib/model/rules/rules';
import { STANDARDS } from '@/lib/model/rules/vocabulary';

/** Where the standards disagree: what each says, and which of those rules are on in this profile. */
export function ContradictionsCard({ catalogue, body }: { catalogue: Catalogue; body: ProfileBody }) {
  const t = useTranslations('profiles');
  const locale = useLocale();
  return (
    <FoldedCard
      title={t('contradictions', { count: catalogue.contradictions.length })}
      description={t('contradictionsIntro')}
    >
      <ul className="divide-y">
        {catalogue.contradictions.map(({ id, rules, text, says, ours }) => {
          const on = rules.filter((rule) => body.rules[rule]?.on);
          return (
            <li key={id} className="grid gap-x-6 gap-y-1 px-4 py-3 text-sm md:grid-cols-[16rem_minmax(0,1fr)]">
              <div>
                <h3 className="font-medium">{text[locale].title}</h3>
                <p className="text-muted-foreground text-xs">{text[locale].explanation}</p>
              </div>
              <div className="space-y-1">
                <p className="flex flex-wrap gap-x-4 gap-y-0.5">
                  {STANDARDS.map((standard) =>
                    says[standard] ? (
                      <span key={standard}>
                        <span className="text-muted-foreground">{standard}</span> {says[standard]?.[locale]}
                      </span>
                    ) : null,
                  )}
                </p>
                <p className="text-muted-foreground text-xs">
                  {t('ours')} {ours[locale]} {on.length > 0 ? t('hereOn', { rules: on.join(', ') }) : t('hereOff')}
                </p>
              </div>
            </li>
          );
        })}
      </ul>
    </FoldedCard>
  );
}
