'use client';
import { useTranslations } from 'use-intl';
import { EachCard } from '@/components/data/card-boundary';
import { PageHeader } from '@/components/ui/page-header';
import { AssignmentCard } from './assignment-card';
import { ChecklistCard } from './checklist-card';
import { ExemptionsCard } from './exemptions-card';
import { OwnersCard } from './owners-card';

/** What this instance is checked against, what is exempted, whose keys they are, and what only people can tell. */
export function PolicyPage({ instanceId }: { instanceId: string }) {
  const t = useTranslations('policy');
  return (
    <div className="space-y-4">
      <PageHeader title={t('title')} description={t('intro')} />
      <EachCard>
        <AssignmentCard instanceId={instanceId} />
        <OwnersCard instanceId={instanceId} />
        <ExemptionsCard instanceId={instanceId} />
        <ChecklistCard instanceId={instanceId} />
      </EachCard>
    </div>
  );
}
