import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Badge } from '@/components/ui/badge';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { KeyName } from '@/components/ui/key-name';
import type { KeyVerdict } from '@/lib/model/rules/findings';
import { RuleId } from './rule-id';
import { StrengthBadge } from './strength-badge';
import { useRuleText } from './use-rule-text';

/** One key evaluated against the policy, by its current facts. */
export function KeyVerdictCard({ verdict }: { verdict: KeyVerdict }) {
  const t = useTranslations('findings.key');
  const f = useFormat();
  const getRuleText = useRuleText();
  return (
    <Card>
      <CardHeader title={t('title')} />
      {verdict.violated.length === 0 ? (
        <CardBody className="text-muted-foreground text-sm">{t('none')}</CardBody>
      ) : (
        <ul className="divide-y">
          {verdict.violated.map(({ rule, title, exempt, strength }) => {
            const text = getRuleText(rule, title);
            return (
              <li key={rule} className="px-4 py-2 text-sm">
                <div className="flex flex-wrap items-center gap-2">
                  <RuleId id={rule} />
                  <span className="min-w-0 flex-1 font-medium">{text.title}</span>
                  {exempt ? <Badge>{t('exempt')}</Badge> : <StrengthBadge strength={strength} />}
                </div>
                <p className="mt-0.5 text-muted-foreground text-xs">{text.fix}</p>
              </li>
            );
          })}
        </ul>
      )}
      {verdict.suggested || verdict.split || verdict.unknown.length > 0 ? (
        <CardBody className="space-y-2 border-t py-3 text-sm">
          {verdict.suggested ? (
            <p>
              {t('suggested')}: <KeyName name={verdict.suggested} max={80} copy />
              <span className="block text-muted-foreground text-xs">{t('advice')}</span>
            </p>
          ) : null}
          {verdict.split ? (
            <p>
              {t('size', {
                severity: t(`severity.${verdict.split.severity}`),
                times: f.number(Math.round(verdict.split.times * 10) / 10),
              })}
              <span className="block text-muted-foreground text-xs">
                {t(`split.${verdict.split.of}`, { buckets: f.number(verdict.split.buckets) })}
              </span>
            </p>
          ) : null}
          {verdict.unknown.length > 0 ? (
            <p className="text-muted-foreground text-xs">{t('unknown', { rules: verdict.unknown.join(', ') })}</p>
          ) : null}
        </CardBody>
      ) : null}
    </Card>
  );
}
