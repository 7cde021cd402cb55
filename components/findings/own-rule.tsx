import { useTranslations } from 'use-intl';
import { useProfiles } from '@/components/data/queries/policies/use-profiles';
import { formatCustomRule } from '@/components/rules/custom-summary';
import { Card, CardBody } from '@/components/ui/card';
import { KeyName } from '@/components/ui/key-name';

/** What a team's own rule requires, per profile that has it, because there is no standard to read it in. */
export function OwnRule({ rule, profiles }: { rule: string; profiles: string[] }) {
  const t = useTranslations('rules');
  const tc = useTranslations('profiles.custom');
  const { data } = useProfiles();
  const found = (data ?? [])
    .filter(({ body }) => profiles.includes(body.name))
    .flatMap(({ id, body }) =>
      body.custom.filter((one) => one.id === rule).map((own) => ({ id, name: body.name, own })),
    );
  if (found.length === 0) return null;
  return (
    <Card>
      <CardBody className="space-y-2 text-sm">
        <h2 className="font-semibold">{t('asks')}</h2>
        {found.map(({ id, name, own }) => (
          <div key={id}>
            <code className="[overflow-wrap:anywhere]">{formatCustomRule(own, tc)}</code>
            <p className="text-muted-foreground text-xs">
              {t('origin.profile')}: {name}
              {own.prefix === '' ? null : (
                <>
                  {' · '}
                  {t('below')} <KeyName name={own.prefix} max={48} />
                </>
              )}
            </p>
            {own.why === '' ? null : <p className="mt-1">{own.why}</p>}
            {own.fix === '' ? null : <p className="mt-1">{own.fix}</p>}
          </div>
        ))}
      </CardBody>
    </Card>
  );
}
