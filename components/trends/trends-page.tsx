'use client';
import { Activity } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { EachCard } from '@/components/data/card-boundary';
import { ErrorState } from '@/components/data/error-state';
import { useInstance } from '@/components/data/queries/use-instances';
import { useTrends } from '@/components/data/queries/use-trends';
import { ScanButton } from '@/components/scans/scan-button';
import { Card } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { PageHeader } from '@/components/ui/page-header';
import { Skeleton } from '@/components/ui/skeleton';
import { toLine } from '@/lib/model/snapshots/trend-breaks';
import type { InstanceTrends } from '@/lib/model/snapshots/trends';
import { GrowingCard } from './growing-card';
import { MemoryForecastLine } from './memory-forecast-line';
import { PinnedCard } from './pinned-card';
import { TrendCard } from './trend-card';

/** The totals of an instance over time, what somebody has pinned, and what grows. */
export function TrendsPage({ instanceId }: { instanceId: string }) {
  const t = useTranslations('trends');
  const { data, error, refetch } = useTrends(instanceId);
  return (
    <div className="space-y-4">
      <PageHeader title={t('title')} description={t('intro')} />
      {error && !data ? (
        <Card>
          <ErrorState error={error} onRetry={() => void refetch()} />
        </Card>
      ) : !data ? (
        <div className="grid grid-cols-1 gap-4 md:grid-cols-2 xl:grid-cols-3" role="status" aria-label={t('loading')}>
          {MEASURES.map(({ measure }) => (
            <Skeleton key={measure} className="h-60 rounded-lg" />
          ))}
        </div>
      ) : (
        <Trends instanceId={instanceId} trends={data} />
      )}
    </div>
  );
}

const MEASURES = [
  { measure: 'keys', as: 'compact' },
  { measure: 'bytes', as: 'bytes' },
  { measure: 'usedBytes', as: 'bytes' },
  { measure: 'score', as: 'decimal' },
  { measure: 'noExpiry', as: 'compact' },
  { measure: 'bigkeys', as: 'compact' },
] as const;

function Trends({ instanceId, trends }: { instanceId: string; trends: InstanceTrends }) {
  const t = useTranslations('trends');
  const { data: instance } = useInstance(instanceId);
  if (trends.scans.length === 0)
    return (
      <Card>
        <EmptyState
          icon={Activity}
          title={t('none.title')}
          actions={instance ? <ScanButton instance={instance} variant="primary" /> : null}
        >
          {t('none.text')}
        </EmptyState>
      </Card>
    );
  return (
    <>
      <MemoryForecastLine memory={trends.memory} />
      <div className="grid grid-cols-1 gap-4 md:grid-cols-2 xl:grid-cols-3">
        <EachCard>
          {MEASURES.map(({ measure, as }) => (
            <TrendCard
              key={measure}
              title={t(`measure.${measure}`)}
              name={t(`measure.${measure}`)}
              line={toLine(trends.scans, trends.total, measure)}
              as={as}
            />
          ))}
        </EachCard>
      </div>
      <EachCard>
        <GrowingCard instanceId={instanceId} />
        <PinnedCard instanceId={instanceId} trends={trends} />
      </EachCard>
    </>
  );
}
