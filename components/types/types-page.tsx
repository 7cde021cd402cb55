'use client';
import { useTranslations } from 'use-intl';
import { EachCard } from '@/components/data/card-boundary';
import { ReportPage } from '@/components/reports/report-page';
import { Encodings } from './encodings';
import { Savings } from './savings';
import { TypeShares } from './type-shares';
import { TypeTable } from './type-table';

export function TypesPage({ instanceId }: { instanceId: string }) {
  const t = useTranslations('types');
  return (
    <ReportPage
      instanceId={instanceId}
      name="types"
      title={t('title')}
      intro={t('intro')}
      isEmpty={(report) => report.types.length === 0}
    >
      {({ report, snapshotId }) => (
        <div className="grid gap-3">
          <EachCard>
            <TypeShares types={report.types} />
            <TypeTable instanceId={instanceId} types={report.types} />
            <Encodings instanceId={instanceId} encodings={report.encodings} />
            <Savings instanceId={instanceId} snapshotId={snapshotId} />
          </EachCard>
        </div>
      )}
    </ReportPage>
  );
}
