import { useTranslations } from 'use-intl';
import { Loaded } from '@/components/data/loaded';
import { May } from '@/components/data/may';
import { useChecklist } from '@/components/data/queries/policies/use-policy';
import { StandardLegend } from '@/components/rules/standards';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { ChecklistRow } from './checklist-row';

/** The rules that no machine can check. People answer them, with owner and date. */
export function ChecklistCard({ instanceId }: { instanceId: string }) {
  const t = useTranslations('policy.checklist');
  const checklist = useChecklist(instanceId);
  const count = checklist.data?.length ?? 0;
  const done = checklist.data?.filter((item) => item.state !== 'open').length ?? 0;
  return (
    <Card id="checklist">
      <CardHeader
        title={t('title')}
        actions={
          <May permission="policy.edit" instanceId={instanceId} instead>
            {null}
          </May>
        }
        description={count > 0 ? t('progress', { done, count }) : t('intro')}
      />
      <Loaded query={checklist} rows={6}>
        {(items) =>
          items.length === 0 ? (
            <CardBody className="text-muted-foreground text-sm">{t('none')}</CardBody>
          ) : (
            <>
              <ul className="divide-y">
                {items.map((item) => (
                  <ChecklistRow key={`${item.rule} ${item.updatedAt}`} instanceId={instanceId} item={item} />
                ))}
              </ul>
              <StandardLegend chips className="border-t px-4 py-2.5" />
            </>
          )
        }
      </Loaded>
    </Card>
  );
}
