'use client';
import { FileClock } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { EachCard } from '@/components/data/card-boundary';
import { ErrorState } from '@/components/data/error-state';
import { useAuditLog } from '@/components/data/queries/use-audit-log';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { PageHeader } from '@/components/ui/page-header';
import { SkeletonRows } from '@/components/ui/skeleton';
import { AuditFilterBar } from './audit-filter-bar';
import { AuditTable } from './audit-table';
import { useAuditFilter } from './use-audit-filter';

export function AuditPage() {
  const t = useTranslations('audit');
  const ui = useTranslations('ui');
  const filter = useAuditFilter();
  const log = useAuditLog(filter.query);
  return (
    <div className="space-y-4">
      <PageHeader title={t('title')} description={t('intro')} />
      <EachCard>
        <AuditFilterBar {...filter} />
        <Rows log={log} isSet={filter.isSet} />
      </EachCard>
      {log.hasNextPage ? (
        <div className="flex justify-center">
          <Button busy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
            {ui('more')}
          </Button>
        </div>
      ) : null}
    </div>
  );
}

function Rows({ log, isSet }: { log: ReturnType<typeof useAuditLog>; isSet: boolean }) {
  const t = useTranslations('audit');
  const rows = log.data?.pages.flatMap((page) => page.rows);
  return (
    <Card>
      {log.error && !rows ? (
        <ErrorState error={log.error} onRetry={() => void log.refetch()} />
      ) : !rows ? (
        <SkeletonRows rows={10} />
      ) : rows.length === 0 ? (
        <EmptyState icon={FileClock} title={t(isSet ? 'empty.noneTitle' : 'empty.title')} className="py-20">
          {t(isSet ? 'empty.noneText' : 'empty.text')}
        </EmptyState>
      ) : (
        <AuditTable rows={rows} />
      )}
    </Card>
  );
}
