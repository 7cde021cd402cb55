import { useLocale, useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { useRules } from '@/components/data/queries/policies/use-rules';
import { translateIfKnown } from '@/components/data/translate-if-known';
import { Card, CardBody } from '@/components/ui/card';
import type { RuleFindingReport } from '@/lib/model/rules/findings';
import type { ParamSpec, RuleInfo, RuleText } from '@/lib/model/rules/rules';

/** The longest value of a parameter, in characters: lists of words may be long. */
const MAX_PARAM = 120;

/**
 * The rule's reason, its remedy and its source, and the numbers it was evaluated with and the profile they come from.
 */
export function RuleAbout({
  text,
  settings,
}: {
  text: RuleText & { info: RuleInfo | null };
  settings: RuleFindingReport['settings'];
}) {
  const t = useTranslations('rules');
  const tp = useTranslations('profiles.unit');
  const f = useFormat();
  const locale = useLocale() === 'zh-CN' ? 'zh-CN' : 'en';
  const { catalogue } = useRules();
  const formatParam = (value: number | string | readonly string[], { unit }: ParamSpec) => {
    if (unit === 'yesNo') return t(Number(value) === 1 ? 'yes' : 'no');
    if (unit === 'bytes') return f.bytes(Number(value));
    if (unit === 'share') return f.share(Number(value));
    const characters = [...(Array.isArray(value) ? value.join(', ') : String(value))];
    const unitText = unit && translateIfKnown(tp, unit);
    return characters.slice(0, MAX_PARAM).join('') + (unitText ? ` ${unitText}` : '');
  };
  const titles = new Map(catalogue?.standards.map(({ id, title }) => [id, title]));
  const specs = Object.entries(text.info?.params ?? {});
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
            {text.info?.sources.map(({ standard, strength, note }) => (
              <li key={standard}>
                {standard} {titles.get(standard)}: {t(`source.${strength}`)}
                {note ? <span className="block text-xs">{note[locale]}</span> : null}
              </li>
            ))}
            {settings.flatMap(({ profiles, params }) =>
              specs.map(([name, spec]) => {
                const value = params[name] ?? spec.default;
                const origin = String(value) === String(spec.default) ? spec.origin : 'profile';
                return (
                  <li key={`${profiles.join()}/${name}`} className="text-xs">
                    {settings.length > 1 ? `${profiles.join(', ')} · ` : ''}
                    {spec.label[locale]}: {formatParam(value, spec)} (
                    {t(`origin.${spec.kind === 'list' && origin === 'ours' ? 'oursList' : origin}`)})
                  </li>
                );
              }),
            )}
          </ul>
        </section>
      </CardBody>
    </Card>
  );
}
