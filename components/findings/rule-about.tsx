'use client';
import { useLocale, useTranslations } from 'use-intl';
import { useRules } from '@/components/data/use-rules';
import { Card, CardBody } from '@/components/ui/card';
import type { RuleInfo, RuleText } from '@/lib/model/rules';

/** Why, what to do, who says it, and whose the numbers are. */
export function RuleAbout({ text }: { rule: string; text: RuleText & { info: RuleInfo | null } }) {
  const t = useTranslations('rules');
  const locale = useLocale() === 'zh-CN' ? 'zh-CN' : 'en';
  const { catalogue } = useRules();
  const titles = new Map(catalogue?.standards.map((one) => [one.id, one.title]));
  const params = Object.entries(text.info?.params ?? {});
  if (text.why === '' && text.info === null) return null;
  return (
    <Card>
      <CardBody className="grid gap-x-8 gap-y-4 text-sm md:grid-cols-3">
        <section>
          <h2 className="mb-1 font-semibold">{t('why')}</h2>
          <p>{text.why}</p>
        </section>
        <section>
          <h2 className="mb-1 font-semibold">{t('fix')}</h2>
          <p>{text.fix}</p>
        </section>
        <section>
          <h2 className="mb-1 font-semibold">{t('standards')}</h2>
          <ul className="space-y-0.5 text-muted-foreground">
            {text.info?.sources.map(({ standard, strength }) => (
              <li key={standard}>
                {standard} {titles.get(standard)}: {t(`source.${strength}`)}
              </li>
            ))}
            {params.map(([name, spec]) => (
              <li key={name} className="text-xs">
                {spec.label[locale]}: {String(spec.default).slice(0, 120)} ({t(`origin.${spec.origin}`)})
              </li>
            ))}
          </ul>
        </section>
      </CardBody>
    </Card>
  );
}
