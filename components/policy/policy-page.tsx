'use client';
import { useTranslations } from 'use-intl';
import { EachCard } from '@/components/data/card-boundary';
import { TableMenu } from '@/components/reports/files/table-menu';
import { PageHeader } from '@/components/ui/page-header';
import { AssignmentCard } from './assignment-card';
import { ChecklistCard } from './checklist-card';
import { ExemptionsCard } from './exemptions-card';
import { OwnersCard } from './owners-card';

/**
 * Shows what this instance is evaluated against: profiles, exemptions, owners, and the checklist that only people can
 * answer.
 */
export function PolicyPage({ instanceId }: { instanceId: string }) {
  const t = useTranslations('policy');
  const words = useTranslations('filters.export');
  const tables = (['owners', 'exemptions'] as const).map((id) => ({ id, name: t(`${id}.title`) }));
  return (
    <div className="space-y-4">
      <PageHeader
        title={t('title')}
        description={t('intro')}
        actions={<TableMenu label={words('listsLabel')} tables={tables} />}
      />
      <EachCard>
        <AssignmentCard instanceId={instanceId} />
        <OwnersCard instanceId={instanceId} />
        <ExemptionsCard instanceId={instanceId} />
        <ChecklistCard instanceId={instanceId} />
      </EachCard>
    </div>
  );
}
