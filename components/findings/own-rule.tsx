import { useTranslations } from 'use-intl';
import { useProfiles } from '@/components/data/queries/policies/use-profiles';
import { formatCustomRule } from '@/components/rules/custom-summary';
import { Card, CardBody } from '@/components/ui/card';
import { KeyName } from '@/components/ui/key-name';

/** Shows what a custom rule requires, for each profile that has it: no standard describes it. */
export function OwnRule({ rule, profiles }: { rule: string; profiles: string[] }) {
  const t = useTranslations('rules');
  const tc = useTranslations('profiles.custom');
  const { data } = useProfiles();
  const found = (data ?? [])
    .filter(({ body }) => profiles.includes(body.name))
    .flatMap(({ id, body }) =>
      body.custom.filter((custom) => custom.id === rule).map((custom) => ({ id, name: body.name, custom })),
    );
  if (found.length === 0) return null;
  return (
    <Card>
      <CardBody className="space-y-2 text-sm">
        <h2 className="font-semibold">{t('asks')}</h2>
        {found.map(({ id, name, custom }) => (
          <div key={id}>
            <code className="[overflow-wrap:anywhere]">{formatCustomRule(custom, tc)}</code>
            <p className="text-muted-foreground text-xs">
              {t('origin.profile')}: {name}
              {custom.prefix === '' ? null : (
                <>
                  {' · '}
                  {t('below')} <KeyName name={custom.prefix} max={48} />
                </>
              )}
            </p>
            {custom.why === '' ? null : <p className="mt-1">{custom.why}</p>}
            {custom.fix === '' ? null : <p className="mt-1">{custom.fix}</p>}
          </div>
        ))}
      </CardBody>
    </Card>
  );
}
