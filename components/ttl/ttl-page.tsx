'use client';
import { useQueryStates } from 'nuqs';
import { useTranslations } from 'use-intl';
import { EachCard } from '@/components/data/card-boundary';
import { FilterPlanButtons } from '@/components/plans/filter-plan-buttons';
import { useFilter } from '@/components/reports/filter/use-filter';
import { ReportPage } from '@/components/reports/report-page';
import { TTL_PARAMS, toTtlQuery } from '@/components/reports/report-params';
import { TtlHistogram } from './ttl-histogram';
import { TtlNoExpiry } from './ttl-no-expiry';
import { TtlStorms } from './ttl-storms';
import { sumKeys, TtlSummary } from './ttl-summary';
import { TtlTimeline } from './ttl-timeline';

export function TtlPage({ instanceId }: { instanceId: string }) {
  const t = useTranslations('ttl');
  const { filter, delimiterField } = useFilter();
  const [{ by, buckets }, set] = useQueryStates(TTL_PARAMS);
  return (
    <ReportPage
      instanceId={instanceId}
      name="ttl"
      title={t('title')}
      intro={t('intro')}
      actions={(snapshotId, report) => (
        <FilterPlanButtons
          instanceId={instanceId}
          selection={{ snapshotId, filter, ...delimiterField }}
          count={report && sumKeys(report)}
          tasks={['expire']}
        />
      )}
      query={toTtlQuery({ buckets })}
      isEmpty={(report) => sumKeys(report) === 0}
    >
      {({ report, envelope, snapshotId }) => (
        <div className="grid gap-3 xl:grid-cols-2">
          <EachCard>
            <TtlSummary instanceId={instanceId} report={report} />
            <TtlHistogram
              instanceId={instanceId}
              report={report}
              by={by}
              onBy={(next) => void set({ by: next })}
              bounds={buckets}
              onBounds={(next) => void set({ buckets: next.length > 0 ? next : null })}
            />
            <TtlTimeline snapshotId={snapshotId} report={report} by={by} />
            <TtlStorms instanceId={instanceId} report={report} asOf={envelope.asOf} />
            <TtlNoExpiry instanceId={instanceId} report={report} />
          </EachCard>
        </div>
      )}
    </ReportPage>
  );
}
