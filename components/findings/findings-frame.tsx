import { Camera } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { EachCard } from '@/components/data/card-boundary';
import { ErrorState } from '@/components/data/error-state';
import { useAsOf } from '@/components/data/format/use-as-of';
import type { CurrentSnapshot } from '@/components/data/queries/use-current-snapshot';
import { useInstance } from '@/components/data/queries/use-instances';
import { SnapshotGone } from '@/components/data/snapshot-gone';
import { LiveBadge } from '@/components/reports/live-badge';
import { ScanButton } from '@/components/scans/scan-button';
import { Card } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { PageHeader } from '@/components/ui/page-header';
import { SkeletonRows } from '@/components/ui/skeleton';
import type { ReportEnvelope } from '@/lib/model/reports/reports';

interface Answer {
  error: unknown;
  isPlaceholderData: boolean;
  data?: unknown;
  refetch: () => unknown;
}

/**
 * The frame of the pages of findings: the title, and what is shown in place of findings while they are computed, after
 * an error, and before the first scan.
 */
export function FindingsFrame(props: {
  instanceId: string;
  title: ReactNode;
  intro?: ReactNode;
  badges?: ReactNode;
  actions?: ReactNode;
  current: CurrentSnapshot;
  answer: Answer;
  /** The envelope of the answer; undefined: there is no answer yet. */
  envelope: Pick<ReportEnvelope<unknown>, 'asOf' | 'live' | 'keysInSnapshot'> | undefined;
  /**
   * The part of the keyspace that is shown, with a button to leave it. It is shown also while the answer is computed or
   * after an error.
   */
  scope: ReactNode;
  /** Shown in place of an error of the answer, if the page knows what the error means. */
  replacement?: ReactNode;
  children: ReactNode;
}) {
  const t = useTranslations('findings');
  const asOf = useAsOf();
  const { current, answer } = props;
  // Without a snapshot no findings were requested: only the list of snapshots can have failed, and is requested again.
  const failed = current.snapshotId === null ? current : answer;
  return (
    <div className="flex flex-col gap-4">
      <PageHeader
        title={props.title}
        description={props.intro}
        badges={
          <>
            {props.badges}
            {props.envelope?.live ? (
              <LiveBadge jobId={current.snapshot?.jobId ?? null} keys={props.envelope.keysInSnapshot} />
            ) : null}
          </>
        }
        actions={
          <>
            {props.envelope ? <span className="num text-muted-foreground text-xs">{asOf(props.envelope)}</span> : null}
            {props.actions}
          </>
        }
      />
      <SnapshotGone current={current} />
      <EachCard>{props.scope}</EachCard>
      {/* The replacement is also shown in place of an older answer that is still cached, which is no longer true. */}
      {failed === answer && answer.error && props.replacement ? (
        props.replacement
      ) : failed.error && (current.snapshotId === null || !answer.data) ? (
        <Card>
          <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
        </Card>
      ) : !current.pending && !current.snapshotId ? (
        <NoSnapshot instanceId={props.instanceId} />
      ) : !answer.data ? (
        <Card role="status" aria-label={t('checking')}>
          <p className="px-4 pt-4 text-muted-foreground text-sm">
            {current.snapshot ? t('checkingKeys', { keys: current.snapshot.keys }) : t('checking')}
          </p>
          <SkeletonRows rows={10} />
        </Card>
      ) : (
        <div
          aria-busy={answer.isPlaceholderData}
          className={answer.isPlaceholderData ? 'space-y-4 opacity-60' : 'space-y-4'}
        >
          {props.children}
        </div>
      )}
    </div>
  );
}

function NoSnapshot({ instanceId }: { instanceId: string }) {
  const t = useTranslations('filters.report');
  const { data: instance } = useInstance(instanceId);
  return (
    <Card>
      <EmptyState
        icon={Camera}
        title={t('noSnapshotTitle')}
        actions={instance ? <ScanButton instance={instance} variant="primary" /> : null}
      >
        {t('noSnapshot')}
      </EmptyState>
    </Card>
  );
}
