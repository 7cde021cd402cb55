'use client';
import { ArrowLeft, RotateCw } from 'lucide-react';
import { useQueryStates } from 'nuqs';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { EachCard } from '@/components/data/card-boundary';
import { formatK, toBase64 } from '@/components/data/format/format-k';
import { useCurrentSnapshot } from '@/components/data/queries/use-current-snapshot';
import { useLiveKey } from '@/components/data/queries/use-live-key';
import { useReport } from '@/components/data/queries/use-report';
import { useSnapshot } from '@/components/data/queries/use-snapshots';
import { useErrorText } from '@/components/data/use-error-text';
import { useHere } from '@/components/layout/navigation/use-here';
import { PlanButton } from '@/components/plans/plan-button';
import { KEY_PARAMS, toKeyRowQuery } from '@/components/reports/report-params';
import { useListHref } from '@/components/reports/use-report-href';
import { KeyVerdictCard } from '@/components/rules/key-verdict-card';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Link } from '@/components/ui/link';
import type { LiveKey } from '@/lib/model/keys/live-key';
import { HYPERLOGLOG_BYTES } from '@/lib/model/keys/recognised-values';
import { CopyTextButton } from './copy-text-button';
import { KeyFactsCard } from './key-facts-card';
import { KeyHeading } from './key-heading';
import { KeyPreviewCard } from './key-preview-card';

/** One key: what the snapshot has, what the server says now, and — only on request — a few of its elements. */
export function KeyPage({ instanceId, k }: { instanceId: string; k: string }) {
  const t = useTranslations('keys.page');
  const plans = useTranslations('deletions.new');
  const errorText = useErrorText();
  const [{ db }] = useQueryStates(KEY_PARAMS);
  const current = useCurrentSnapshot(instanceId);
  const live = useLiveKey(instanceId, k, db);
  const name = live.data?.name ?? formatK(k);
  const found = useReport(current.snapshotId, 'keys', toKeyRowQuery(name, db));
  const row = found.data?.report.rows.find((candidate) => candidate.k === k) ?? null;
  const manifest = useSnapshot(current.snapshotId);
  const node = row ? (manifest.data?.nodes[row.node]?.address ?? null) : null;
  // A kept answer about another key says nothing about this one.
  const unanswered = found.isPending || (row === null && found.isPlaceholderData);
  const pending = live.isPending || current.pending || (current.snapshotId !== null && unanswered);
  /** Why the snapshot cannot be read; null: it can. */
  const unread = current.snapshotId === null ? current.error : found.data ? null : found.error;
  const gone = live.data?.exists === false;
  const [read, setRead] = useState<LiveKey | null>(null);
  const verdict = live.data ? chooseVerdict(live.data, read?.db === db ? read : null) : null;
  const { instanceHref } = useHere();
  const list = instanceHref(instanceId, '/keys');
  const listOf = useListHref(instanceId);

  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Button asChild variant="ghost" size="sm" className="-ml-2.5">
          <Link href={list}>
            <ArrowLeft aria-hidden />
            {t('back')}
          </Link>
        </Button>
        <div className="flex flex-wrap gap-2">
          <CopyTextButton text={name} label={t('copyName')} />
          <CopyTextButton text={toBase64(k)} label={t('copyBase64')} />
          <PlanButton
            instanceId={instanceId}
            selection={live.data?.exists ? { by: 'keys', keys: [{ k, db }], snapshotId: current.snapshotId } : null}
          >
            {plans('planKey')}
          </PlanButton>
          <PlanButton
            instanceId={instanceId}
            selection={live.data?.exists ? { by: 'keys', keys: [{ k, db }], snapshotId: current.snapshotId } : null}
            start={{ task: 'expire' }}
          >
            {plans('expireThese')}
          </PlanButton>
          <Button size="sm" onClick={() => void live.refetch()} busy={live.isFetching}>
            {live.isFetching ? null : <RotateCw aria-hidden />}
            {t('refresh')}
          </Button>
        </div>
      </div>
      <KeyHeading name={name} type={live.data?.type ?? row?.type ?? null} db={db} gone={gone && row !== null} />
      {unread ? (
        <Alert
          tone="danger"
          title={errorText(unread).title}
          actions={
            <Button size="sm" onClick={() => (current.snapshotId === null ? current.refetch() : void found.refetch())}>
              {t('refresh')}
            </Button>
          }
        >
          {errorText(unread).hint}
        </Alert>
      ) : null}
      {gone && !pending && !unread ? (
        <Alert tone="warning" title={t(row ? 'vanishedTitle' : 'neverTitle')}>
          {t(row ? 'vanished' : 'never')}
        </Alert>
      ) : null}
      {live.error ? (
        <Alert
          tone="danger"
          title={t('liveError')}
          actions={
            <Button size="sm" onClick={() => void live.refetch()}>
              {t('refresh')}
            </Button>
          }
        >
          {row ? t('liveErrorTry') : null} <span className="text-muted-foreground">{errorText(live.error).hint}</span>
        </Alert>
      ) : null}
      <div className="grid items-start gap-3 xl:grid-cols-2">
        <EachCard>
          {!row && !live.data?.exists && !pending ? null : (
            <KeyFactsCard
              row={row}
              node={node}
              live={live.data?.exists ? live.data : null}
              asOf={found.data?.asOf ?? null}
              slotHref={row ? listOf({ slotMin: row.slot, slotMax: row.slot }) : null}
              nodeHref={row ? listOf({ node: [row.node] }) : null}
              k={k}
              pending={row === null && pending}
              asking={live.isPending}
              unread={Boolean(unread)}
            />
          )}
          {verdict ? <KeyVerdictCard verdict={verdict} /> : null}
          {live.data?.exists ? (
            // Another key creates another card, so that nothing read from this one stays.
            <KeyPreviewCard
              key={`${k} ${db}`}
              instanceId={instanceId}
              k={k}
              db={db}
              live={live.data}
              onRead={setRead}
            />
          ) : null}
        </EachCard>
      </div>
    </div>
  );
}

/**
 * The verdict for the current facts, which recognize a HyperLogLog only by its length. If the value was read, its
 * header decides; that verdict is kept as long as the length does not change.
 */
function chooseVerdict(live: LiveKey, read: LiveKey | null): LiveKey['verdict'] {
  if (read === null || read.k !== live.k || read.preview?.kind !== 'string') return live.verdict;
  const decides = read.length === HYPERLOGLOG_BYTES || read.preview.hyperloglog !== undefined;
  const hasExpiry = (key: LiveKey) => key.ttlMs !== null;
  const same = read.type === live.type && read.length === live.length && hasExpiry(read) === hasExpiry(live);
  return decides && same ? read.verdict : live.verdict;
}
