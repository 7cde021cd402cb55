import { useTranslations } from 'use-intl';
import { ErrorState } from '@/components/data/error-state';
import { May } from '@/components/data/may';
import { useChecklist } from '@/components/data/queries/policies/use-policy';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { SkeletonRows } from '@/components/ui/skeleton';
import { ChecklistRow } from './checklist-row';

/** The rules that no machine can check. People answer them, with owner and date. */
export function ChecklistCard({ instanceId }: { instanceId: string }) {
  const t = useTranslations('policy.checklist');
  const { data, error, refetch } = useChecklist(instanceId);
  const done = data?.filter((item) => item.state !== 'open').length ?? 0;
  return (
    <Card id="checklist">
      <CardHeader
        title={t('title')}
        actions={
          <May permission="policy.edit" instanceId={instanceId} reason>
            {null}
          </May>
        }
        description={data && data.length > 0 ? t('progress', { done, count: data.length }) : t('intro')}
      />
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : data?.length === 0 ? (
        <CardBody className="text-muted-foreground text-sm">{t('none')}</CardBody>
      ) : data ? (
        <ul className="divide-y">
          {data.map((item) => (
            <ChecklistRow key={`${item.rule} ${item.updatedAt}`} instanceId={instanceId} item={item} />
          ))}
        </ul>
      ) : (
        <SkeletonRows rows={6} />
      )}
    </Card>
  );
}
