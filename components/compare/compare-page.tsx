'use client';
import { GitCompareArrows, X } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { ApiError } from '@/components/data/api-error';
import { EachCard } from '@/components/data/card-boundary';
import { ErrorState } from '@/components/data/error-state';
import { useComparison } from '@/components/data/queries/use-comparison';
import { type CurrentSnapshot, useCurrentSnapshot } from '@/components/data/queries/use-current-snapshot';
import { SnapshotGone } from '@/components/data/snapshot-gone';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { KeyName } from '@/components/ui/key-name';
import { PageHeader } from '@/components/ui/page-header';
import { SkeletonRows } from '@/components/ui/skeleton';
import { toVisibleText } from '@/components/ui/visible-text';
import type { Comparison, ComparisonNote } from '@/lib/model/comparison/comparison';
import { SINCE_BASELINE, SINCE_PREVIOUS } from '@/lib/model/comparison/comparison-words';
import type { SnapshotSummary } from '@/lib/model/reports/fleet';
import { CompareFigures } from './compare-figures';
import { ComparePickers } from './compare-pickers';
import { ComparedLists } from './compared-lists';
import { type CompareParams, useCompareParams } from './use-compare-params';

/** Two snapshots compared: what they are, the figures of both, then lists of what differs. */
export function ComparePage({ instanceId }: { instanceId: string }) {
  const t = useTranslations('compare');
  const current = useCurrentSnapshot(instanceId);
  const compared = useCompareParams();
  const { params, query } = compared;
  const missing = findMissing(current, params);
  const answer = useComparison(current.snapshotId, missing === null ? query : null);
  return (
    <div className="flex flex-col gap-4">
      <PageHeader title={t('title')} description={t('intro')} />
      <SnapshotGone current={current} />
      <EachCard>
        <ComparePickers instanceId={instanceId} current={current} compared={compared} found={answer.data ?? null} />
      </EachCard>
      <Scope compared={compared} />
      <Compared current={current} compared={compared} answer={answer} missing={missing} instanceId={instanceId} />
    </div>
  );
}

/** Says that only a part of the names is compared. */
function Scope({ compared: { path, set } }: { compared: CompareParams }) {
  const t = useTranslations('compare');
  if (!path) return null;
  return (
    <div className="flex flex-wrap items-center gap-2 text-sm">
      <span className="inline-flex h-7 max-w-full items-center gap-1.5 rounded-md border bg-surface pl-2">
        <span className="text-muted-foreground text-xs">{t('scope')}</span>
        <KeyName name={path} max={48} />
        <Button
          variant="ghost"
          size="iconXs"
          aria-label={t('scopeAll')}
          onClick={() => set({ prefix: null, template: null })}
        >
          <X aria-hidden />
        </Button>
      </span>
    </div>
  );
}

/** Reasons for which a comparison is refused that a person can resolve by choosing. */
const CHOICES = ['noPrevious', 'noBaseline', 'sameSnapshot', 'notSealed', 'nothingInCommon'] as const;

type EmptyReason = (typeof CHOICES)[number] | 'noSnapshot' | 'choose';

/** What has to be chosen before there is something to compare; null: it can be requested. */
function findMissing(current: CurrentSnapshot, params: CompareParams['params']): EmptyReason | null {
  const { snapshot, snapshots } = current;
  if (snapshot === null) return null;
  if (snapshot.state === 'live') return 'notSealed';
  if (params.with === SINCE_PREVIOUS && params.other !== null) return 'choose';
  if (params.with === SINCE_PREVIOUS) return hasPrevious(snapshots, snapshot) ? null : 'noPrevious';
  if (params.with !== SINCE_BASELINE) return params.with === snapshot.id ? 'sameSnapshot' : null;
  return snapshots.some(({ id, baseline }) => baseline && id !== snapshot.id) ? null : 'noBaseline';
}

/** Whether there is an earlier complete snapshot of the whole keyspace, as `snapshot` is one. */
function hasPrevious(snapshots: readonly SnapshotSummary[], snapshot: SnapshotSummary): boolean {
  const isWhole = ({ state, partial, isPart }: SnapshotSummary) => state === 'sealed' && !partial && !isPart;
  return isWhole(snapshot) && snapshots.some((one) => isWhole(one) && one.startedAt < snapshot.startedAt);
}

function Compared(props: {
  instanceId: string;
  current: CurrentSnapshot;
  compared: CompareParams;
  answer: ReturnType<typeof useComparison>;
  missing: EmptyReason | null;
}) {
  const t = useTranslations('compare');
  const { current, answer } = props;
  const { data, error } = answer;
  if (!current.pending && current.snapshotId === null)
    return current.error ? <Refused error={current.error} retry={current.refetch} /> : <Empty reason="noSnapshot" />;
  if (props.missing !== null) return <Empty reason={props.missing} />;
  if (error) {
    const reason = CHOICES.find((one) => error instanceof ApiError && error.details.reason === one);
    return reason ? <Empty reason={reason} /> : <Refused error={error} retry={() => void answer.refetch()} />;
  }
  if (!data)
    return (
      <Card role="status" aria-label={t('comparing')}>
        <SkeletonRows rows={8} />
      </Card>
    );
  return (
    <div
      aria-busy={answer.isPlaceholderData}
      className={answer.isPlaceholderData ? 'space-y-4 opacity-60' : 'space-y-4'}
    >
      <EachCard>
        <Notes notes={data.notes} before={data.before} />
        <CompareFigures found={data} />
        <ComparedLists instanceId={props.instanceId} found={data} compared={props.compared} />
      </EachCard>
    </div>
  );
}

function Refused({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <Card>
      <ErrorState error={error} onRetry={retry} />
    </Card>
  );
}

function Empty({ reason }: { reason: EmptyReason }) {
  const t = useTranslations('compare.empty');
  return (
    <Card>
      <EmptyState icon={GitCompareArrows} title={t(`${reason}.title`)}>
        {t(`${reason}.text`)}
      </EmptyState>
    </Card>
  );
}

/** Says why only a part is compared, and what the reader has to know about the figures. */
function Notes({ notes, before }: { notes: ComparisonNote[]; before: Comparison['before'] }) {
  const t = useTranslations('compare.note');
  if (notes.length === 0) return null;
  const isPart = notes.some(({ code }) => /^(databases|exceptDatabases|prefix|slots|partial)/.test(code));
  const params = (given: ComparisonNote['params']) =>
    Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, typeof value === 'string' ? toVisibleText(value) : value]),
    );
  return (
    <Alert tone={isPart ? 'warning' : 'info'} title={isPart ? t('partTitle') : undefined}>
      <ul className="space-y-0.5">
        {notes.map((note) => (
          <li key={note.code}>
            {t(note.code, { instance: toVisibleText(before.instanceName), ...params(note.params) })}
          </li>
        ))}
      </ul>
    </Alert>
  );
}
