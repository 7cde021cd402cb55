'use client';
import { useTranslations } from 'use-intl';
import { EachCard } from '@/components/data/card-boundary';
import { policyFileUrls } from '@/components/data/queries/policies/use-policy';
import { FileMenu } from '@/components/reports/files/file-menu';
import { PageHeader } from '@/components/ui/page-header';
import { AssignmentCard } from './assignment-card';
import { ChecklistCard } from './checklist-card';
import { ExemptionsCard } from './exemptions-card';
import { OwnersCard } from './owners-card';

/**
 * What this instance is evaluated against: profiles, exemptions, owners, and the checklist that only people can answer.
 */
export function PolicyPage({ instanceId }: { instanceId: string }) {
  const t = useTranslations('policy');
  const words = useTranslations('filters.export');
  const urls = policyFileUrls(instanceId);
  const files = (['owners', 'exemptions', 'checklist'] as const).map((list) => ({
    name: t(`${list}.title`),
    href: urls[list],
  }));
  return (
    <div className="space-y-4">
      <PageHeader
        title={t('title')}
        description={t('intro')}
        actions={<FileMenu label={words('listsLabel')} hint={words('listsHint')} files={files} />}
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
