'use client';
import { ArrowLeft, Check, Copy, RotateCw } from 'lucide-react';
import { useQueryStates } from 'nuqs';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { EachCard } from '@/components/data/card-boundary';
import { decodeK, formatK, toBase64 } from '@/components/data/format/format-k';
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
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { KeyName } from '@/components/ui/key-name';
import { Link } from '@/components/ui/link';
import { toast } from '@/components/ui/overlays/toast';
import { TypeBadge } from '@/components/ui/type-badge';
import { useCopied } from '@/components/ui/use-copied';
import type { LiveKey } from '@/lib/model/keys/live-key';
import { HYPERLOGLOG_BYTES } from '@/lib/model/keys/recognised-values';
import { KeyFactsCard } from './key-facts-card';
import { KeyHistoryCard } from './key-history-card';
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
  // A placeholder is the former answer, about another key, and says nothing about this one.
  const isRowPending = found.isPending || (row === null && found.isPlaceholderData);
  const pending = live.isPending || current.pending || (current.snapshotId !== null && isRowPending);
  /** Why the snapshot cannot be read; null: it can. */
  const snapshotError = current.snapshotId === null ? current.error : found.data ? null : found.error;
  const gone = live.data?.exists === false;
  /** The key as it was when its value was read; null: it was not read. */
  const [readKey, setReadKey] = useState<LiveKey | null>(null);
  const verdict = live.data ? chooseVerdict(live.data, readKey?.db === db ? readKey : null) : null;
  const { instanceHref } = useHere();
  const buildListHref = useListHref(instanceId);
  const selection = live.data?.exists
    ? { by: 'keys' as const, keys: [{ k, db }], snapshotId: current.snapshotId }
    : null;

  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Button asChild variant="ghost" size="sm" className="-ml-2.5">
          <Link href={instanceHref(instanceId, '/keys')}>
            <ArrowLeft aria-hidden />
            {t('back')}
          </Link>
        </Button>
        <div className="flex flex-wrap gap-2">
          <CopyTextButton text={name} label={t('copyName')} />
          <CopyTextButton text={toBase64(k)} label={t('copyBase64')} />
          <PlanButton instanceId={instanceId} selection={selection}>
            {plans('planKey')}
          </PlanButton>
          <PlanButton instanceId={instanceId} selection={selection} start={{ task: 'expire' }}>
            {plans('expireThese')}
          </PlanButton>
          <Button size="sm" onClick={() => void live.refetch()} busy={live.isFetching}>
            {live.isFetching ? null : <RotateCw aria-hidden />}
            {t('refresh')}
          </Button>
        </div>
      </div>
      <KeyHeading k={k} name={name} type={live.data?.type ?? row?.type ?? null} db={db} gone={gone && row !== null} />
      {snapshotError ? (
        <Alert
          tone="danger"
          title={errorText(snapshotError).title}
          actions={
            <Button size="sm" onClick={() => (current.snapshotId === null ? current.refetch() : void found.refetch())}>
              {t('refresh')}
            </Button>
          }
        >
          {errorText(snapshotError).hint}
        </Alert>
      ) : null}
      {gone && !pending && !snapshotError ? (
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
              slotHref={row ? buildListHref({ slotMin: row.slot, slotMax: row.slot }) : null}
              nodeHref={row ? buildListHref({ node: [row.node] }) : null}
              k={k}
              pending={row === null && pending}
              livePending={live.isPending}
              snapshotFailed={Boolean(snapshotError)}
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
              onRead={setReadKey}
            />
          ) : null}
          <KeyHistoryCard key={`history ${k} ${db}`} instanceId={instanceId} k={k} db={db} />
        </EachCard>
      </div>
    </div>
  );
}

/**
 * The verdict for the current facts, which recognize a HyperLogLog only by its length. If the value was read (`read`),
 * its header decides; that verdict is kept as long as type, length and the presence of an expiry do not change.
 */
function chooseVerdict(live: LiveKey, read: LiveKey | null): LiveKey['verdict'] {
  if (read === null || read.k !== live.k || read.preview?.kind !== 'string') return live.verdict;
  const isDecided = read.length === HYPERLOGLOG_BYTES || read.preview.hyperloglog !== undefined;
  const hasExpiry = (key: LiveKey) => key.ttlMs !== null;
  const isUnchanged = read.type === live.type && read.length === live.length && hasExpiry(read) === hasExpiry(live);
  return isDecided && isUnchanged ? read.verdict : live.verdict;
}

/** The most bytes of a name that are shown in hex. */
const MAX_HEX = 48;

function KeyHeading(props: { k: string; name: string; type: string | null; db: number; gone: boolean }) {
  const { k, name, type, db, gone } = props;
  const t = useTranslations('keys.page');
  // The display form of bytes that are not text (lib/model/keys/display-name.ts).
  const binary = /\\x[0-9a-f]{2}|^\\java\\/.test(name);
  return (
    <header className="grid gap-1.5">
      <h1 className="min-w-0 font-medium text-lg">
        <KeyName name={name} max={1024} wrap />
      </h1>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-muted-foreground">
        {type === null ? null : <TypeBadge type={type} className="text-sm text-foreground" />}
        <span className="num">
          {t('database')} {db}
        </span>
        {gone ? <Badge tone="warning">{t('vanishedTitle')}</Badge> : null}
        {binary ? (
          <span className="text-xs">
            {t('binary')} {t('bytesOfName')} <bdi className="font-mono">{formatHex(k)}</bdi>
          </span>
        ) : null}
      </div>
    </header>
  );
}

/** The bytes of a name in hex, at most MAX_HEX. */
function formatHex(k: string): string {
  const bytes = [...decodeK(k)];
  const hex = bytes.slice(0, MAX_HEX).map((byte) => byte.toString(16).padStart(2, '0'));
  return `${hex.join(' ')}${bytes.length > MAX_HEX ? ' …' : ''}`;
}

function CopyTextButton({ text, label }: { text: string; label: string }) {
  const t = useTranslations('keys.page');
  const { done, copy } = useCopied(() => toast.error(t('copyFailed'), { description: text }));
  return (
    <Button size="sm" onClick={() => void copy(text)}>
      {done ? <Check className="text-success" aria-hidden /> : <Copy aria-hidden />}
      {done ? t('copied') : label}
    </Button>
  );
}
