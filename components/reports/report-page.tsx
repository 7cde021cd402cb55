/**
 * The frame that all report pages share: title, common filter, and what is shown in place of the report while it loads,
 * after an error, without a snapshot and when nothing matches. Pages only render the report itself.
 */
import { lazy, type ReactNode, Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { EachCard, EachPart } from '@/components/data/card-boundary';
import { ErrorState } from '@/components/data/error-state';
import { useAsOf } from '@/components/data/format/use-as-of';
import { useCurrentSnapshot } from '@/components/data/queries/use-current-snapshot';
import { useReport } from '@/components/data/queries/use-report';
import { SnapshotGone } from '@/components/data/snapshot-gone';
import { FilterBar } from '@/components/reports/filter/filter-bar';
import { buildFilterChips } from '@/components/reports/filter/filter-chips';
import { useFilter } from '@/components/reports/filter/use-filter';
import { Card } from '@/components/ui/card';
import { createLazyPart } from '@/components/ui/on-demand/lazy-part';
import { PageHeader } from '@/components/ui/page-header';
import { SkeletonRows } from '@/components/ui/skeleton';
import type { ReportQuery } from '@/lib/model/reports/query';
import { REPORT_ROWS } from '@/lib/model/reports/registry';
import type { ReportEnvelope, ReportName, ReportResults } from '@/lib/model/reports/reports';
import { ListExportMenu, TableExportMenu } from './files/export-menu';

/** Loaded on demand, because few visits meet an empty report or an incomplete snapshot. */
const NoSnapshot = createLazyPart(() => import('./empty-report').then((loaded) => loaded.NoSnapshot));
const NothingFound = createLazyPart(() => import('./empty-report').then((loaded) => loaded.NothingFound));
const LiveBadge = lazy(() => import('./live-badge').then((loaded) => ({ default: loaded.LiveBadge })));
const PreparingBadge = lazy(() => import('./preparing-badge').then((loaded) => ({ default: loaded.PreparingBadge })));

interface ReportView<N extends ReportName> {
  report: ReportResults[N];
  envelope: ReportEnvelope<ReportResults[N]>;
  snapshotId: string;
  /** A changed filter is loading, and the last answer is still shown. */
  stale: boolean;
}
interface ReportPageProps<N extends ReportName> {
  instanceId: string;
  name: N;
  title: string;
  intro: string;
  query?: Partial<ReportQuery>;
  /** The page has its own control for the prefix, or for the type. */
  prefixFixed?: boolean;
  typesFixed?: boolean;
  /** `report`: null while it loads, also while the last answer is still shown, because that is about other keys. */
  actions?: (snapshotId: string, report: ReportResults[N] | null) => ReactNode;
  isEmpty: (report: ReportResults[N]) => boolean;
  empty?: ReactNode;
  skeleton?: ReactNode;
  children: (view: ReportView<N>) => ReactNode;
}

export function ReportPage<N extends ReportName>(props: ReportPageProps<N>) {
  const { reportFilter } = useFilter();
  const current = useCurrentSnapshot(props.instanceId);
  const answer = useReport(current.snapshotId, props.name, { ...reportFilter, ...props.query });
  const asOf = useAsOf();
  const data = answer.data;
  const { exportFilter } = REPORT_ROWS[props.name];
  return (
    <div className="flex flex-col gap-4">
      <PageHeader
        title={props.title}
        description={props.intro}
        badges={
          <Suspense>
            {data?.live ? (
              <LiveBadge jobId={current.snapshot?.jobId ?? null} keys={data.keysInSnapshot} />
            ) : data?.preparing ? (
              <PreparingBadge preparation={data.preparing} />
            ) : null}
          </Suspense>
        }
        actions={
          <>
            {data ? <span className="num text-muted-foreground text-xs">{asOf(data)}</span> : null}
            {current.snapshotId ? (
              <EachPart>
                <Actions {...props} snapshotId={current.snapshotId} answer={answer} />
              </EachPart>
            ) : null}
            {current.snapshotId && exportFilter ? (
              <ListExportMenu
                snapshotId={current.snapshotId}
                name={props.name}
                query={{ ...reportFilter, sort: props.query?.sort, ...exportFilter }}
              />
            ) : null}
            {current.snapshotId && !exportFilter ? (
              <TableExportMenu
                snapshotId={current.snapshotId}
                name={props.name}
                query={{ ...reportFilter, ...props.query }}
              />
            ) : null}
          </>
        }
      />
      <SnapshotGone current={current} />
      {current.pending || current.snapshotId || current.error ? (
        <FilterBar prefixFixed={props.prefixFixed} typesFixed={props.typesFixed} />
      ) : null}
      <EachCard>
        <Body {...props} current={current} answer={answer} />
      </EachCard>
    </div>
  );
}

/** A separate component, so that only the actions fail if they cannot handle a malformed report. */
function Actions<N extends ReportName>({
  actions,
  snapshotId,
  answer,
}: ReportPageProps<N> & { snapshotId: string; answer: ReturnType<typeof useReport<N>> }) {
  return actions?.(snapshotId, answer.isPlaceholderData ? null : (answer.data?.report ?? null));
}

function Body<N extends ReportName>(
  props: ReportPageProps<N> & {
    current: ReturnType<typeof useCurrentSnapshot>;
    answer: ReturnType<typeof useReport<N>>;
  },
) {
  const t = useTranslations('filters.report');
  const { filter, clear } = useFilter();
  const { current, answer } = props;
  // Without a snapshot no report was requested: what failed and is retried is the list of snapshots.
  const failed = current.snapshotId === null ? current : answer;
  if (failed.error && (current.snapshotId === null || !answer.data)) {
    return (
      <Card>
        <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
      </Card>
    );
  }
  if (!current.pending && !current.snapshotId) {
    return <NoSnapshot instanceId={props.instanceId} />;
  }
  if (!answer.data || !current.snapshotId) {
    return (
      <div role="status">
        <p className="mb-2 text-muted-foreground text-sm">{t('loading')}</p>
        {props.skeleton ?? (
          <Card>
            <SkeletonRows rows={10} />
          </Card>
        )}
      </div>
    );
  }
  const { report } = answer.data;
  if (props.isEmpty(report)) {
    const filtered = buildFilterChips(filter).length > 0;
    return <NothingFound onClear={filtered ? clear : null}>{props.empty}</NothingFound>;
  }
  return (
    <div
      aria-busy={answer.isPlaceholderData}
      className={answer.isPlaceholderData ? 'opacity-60 transition-opacity delay-150' : 'transition-opacity'}
    >
      {props.children({
        report,
        envelope: answer.data,
        snapshotId: current.snapshotId,
        stale: answer.isPlaceholderData,
      })}
    </div>
  );
}
