import { useTranslations } from 'use-intl';
import { useReasonText } from '@/components/deletions/reason-text';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { KeyName } from '@/components/ui/key-name';
import type { DeletionPlan } from '@/lib/model/deletions/deletion-plan';

/** The commands, the effects on clients, and the excluded keys with their reasons. */
export function PlanDetails({ plan }: { plan: DeletionPlan }) {
  const t = useTranslations('deletions');
  const reasonText = useReasonText();
  // HazardsCard shows the sample of small keys.
  const notices = plan.notices.filter(({ code }) => code !== 'sample');
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <div className="space-y-4">
        <Card>
          <CardHeader title={t('plan.notices')} />
          <CardBody>
            <ul className="list-disc space-y-1 pl-4">
              {notices.map((notice) => (
                <li key={notice.code}>{reasonText(notice)}</li>
              ))}
            </ul>
          </CardBody>
        </Card>
        {plan.excluded.length > 0 ? (
          <Card>
            <CardHeader title={t('plan.excluded')} />
            <CardBody>
              <ul className="space-y-2">
                {plan.excluded.map(({ reason, keys, examples }) => (
                  <li key={JSON.stringify(reason)}>
                    <p>{t('plan.excludedKeys', { count: keys, reason: reasonText(reason) })}</p>
                    <p className="flex flex-wrap gap-x-3 text-muted-foreground text-xs">
                      {examples.map((name) => (
                        <KeyName key={name} name={name} max={40} />
                      ))}
                    </p>
                  </li>
                ))}
              </ul>
            </CardBody>
          </Card>
        ) : null}
      </div>
      <Card>
        <CardHeader title={t('plan.commands')} />
        <CardBody>
          <ol className="space-y-1 font-mono text-xs">
            {plan.commands.map((command) => (
              <li key={command} className="[overflow-wrap:anywhere]">
                {command}
              </li>
            ))}
          </ol>
        </CardBody>
      </Card>
    </div>
  );
}
