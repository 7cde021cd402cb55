import { useTranslations } from 'use-intl';
import { BarList } from '@/components/charts/bar-list';
import { EachCard } from '@/components/data/card-boundary';
import { ErrorState } from '@/components/data/error-state';
import { useAsOf } from '@/components/data/format/use-as-of';
import { useFormat } from '@/components/data/format/use-format';
import { useCurrentSnapshot } from '@/components/data/queries/use-current-snapshot';
import { useLiveStage } from '@/components/data/queries/use-live-stage';
import { useReport } from '@/components/data/queries/use-report';
import { useSnapshot } from '@/components/data/queries/use-snapshots';
import { buildFilterChips } from '@/components/reports/filter/filter-chips';
import { useFilter } from '@/components/reports/filter/use-filter';
import { useIgnoredFilters } from '@/components/reports/use-ignored-filters';
import { ScoreCard } from '@/components/rules/score-card';
import { CostFacts } from '@/components/scans/cost-facts';
import { PartialAlert } from '@/components/scans/partial-alert';
import { Alert } from '@/components/ui/alert';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { cn } from '@/components/ui/cn';
import { Skeleton, SkeletonRows } from '@/components/ui/skeleton';
import { toKnownBytes } from '@/lib/model/keys/known-bytes';
import type { OverviewReport, Totals } from '@/lib/model/reports/reports';
import { CoverageCard } from './coverage-card';
import { HeadlineStats } from './headline-stats';
import { SCORE_FIELDS, toOverviewQuery, toScoreScope } from './overview-query';
import { ServerCard } from './server-card';
import { TopPrefixes } from './top-prefixes';
import { TypesCard } from './types-card';

export function SnapshotOverview({ instanceId, snapshotId }: { instanceId: string; snapshotId: string }) {
  const t = useTranslations('overview');
  const costTexts = useTranslations('scans.cost');
  const asOf = useAsOf();
  const { filter, reportFilter } = useFilter();
  const filtered = buildFilterChips(filter).length > 0;
  const ignoredFilters = useIgnoredFilters();
  const notScoredFilters = useIgnoredFilters(SCORE_FIELDS);
  const overview = useReport(snapshotId, 'overview', toOverviewQuery(reportFilter));
  const manifest = useSnapshot(snapshotId).data;
  const { snapshots } = useCurrentSnapshot(instanceId);
  const stage = useLiveStage(snapshots.find(({ id }) => id === snapshotId)?.jobId ?? null);
  if (overview.error && !overview.data)
    return (
      <Card>
        <ErrorState error={overview.error} onRetry={() => void overview.refetch()} />
      </Card>
    );
  if (!overview.data)
    return (
      // About as high as the content that replaces it, so that the page does not jump.
      <div className="min-h-[68rem] space-y-4" role="status">
        <p className="text-muted-foreground text-sm">{t('loading')}</p>
        <Skeleton className="h-28 rounded-lg" />
        <div className="grid grid-cols-1 gap-4 xl:grid-cols-[minmax(0,1fr)_21rem]">
          {[14, 12].map((rows) => (
            <Card key={rows}>
              <SkeletonRows rows={rows} />
            </Card>
          ))}
        </div>
      </div>
    );
  const { report, live } = overview.data;
  // Before a scan has written its first key, the figures are unknown, not 0.
  const known = !live || report.keys > 0;
  // Shown in whichever column has space.
  const parts = <Parts report={report} />;
  return (
    <div
      aria-busy={overview.isPlaceholderData}
      className={cn('space-y-4 transition-opacity', overview.isPlaceholderData && 'opacity-60 delay-150')}
    >
      {live ? <Alert tone="info">{t('live', { stage, count: report.keys, when: asOf(overview.data) })}</Alert> : null}
      <EachCard>
        {!live && manifest ? <PartialAlert manifest={manifest} /> : null}
        {known ? (
          <HeadlineStats report={report} snapshotId={live || filtered ? null : snapshotId} filtered={filtered} />
        ) : null}
      </EachCard>
      <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-[minmax(0,1fr)_21rem]">
        <div className="min-w-0 space-y-4">
          <EachCard>
            <TopPrefixes instanceId={instanceId} snapshotId={snapshotId} report={report} live={live} />
          </EachCard>
          {/* While the scan runs, its progress shows what was read; counts from another moment would contradict it. */}
          {manifest && !live ? (
            <div className="grid grid-cols-1 items-start gap-4 md:grid-cols-2">
              <EachCard>
                <CoverageCard manifest={manifest} />
                <Card>
                  <CardHeader title={costTexts('title')} description={ignoredFilters ?? costTexts('text')} />
                  <CardBody className="py-2">
                    <CostFacts cost={manifest.cost} />
                  </CardBody>
                </Card>
                <div className="min-w-0 md:col-span-2">{parts}</div>
              </EachCard>
            </div>
          ) : null}
        </div>
        <div className="min-w-0 space-y-4">
          <EachCard>
            <ScoreCard
              instanceId={instanceId}
              snapshotId={live ? null : snapshotId}
              scope={toScoreScope(reportFilter)}
              note={notScoredFilters}
            />
            {known ? <TypesCard report={report} /> : null}
            {known && (live || !manifest) ? parts : null}
            {manifest ? <ServerCard instanceId={instanceId} manifest={manifest} /> : null}
          </EachCard>
        </div>
      </div>
    </div>
  );
}

type Part = Totals & { db?: number; node?: number; address?: string };

/** The data of each node, or of each database if there is only one node. */
function Parts({ report }: { report: OverviewReport }) {
  if (report.nodes.length > 1) return <PartsCard kind="nodes" parts={report.nodes} />;
  return report.databases.length > 0 ? <PartsCard kind="databases" parts={report.databases} /> : null;
}

function PartsCard({ kind, parts }: { kind: 'databases' | 'nodes'; parts: Part[] }) {
  const t = useTranslations('overview');
  const f = useFormat();
  return (
    <Card>
      <CardHeader title={t(`${kind}.title`)} />
      <CardBody>
        <BarList
          label={t(`${kind}.tableLabel`)}
          rows={parts.map((part) => ({
            id: String(part.db ?? part.node),
            label: <span className="font-mono text-xs">{part.address ?? `db${part.db}`}</span>,
            value: part.bytes,
            valueLabel: f.number(part.keys),
            note: f.bytes(toKnownBytes(part)),
          }))}
        />
      </CardBody>
    </Card>
  );
}
