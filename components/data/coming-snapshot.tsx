import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { useTranslations } from 'use-intl';
import { Alert } from '@/components/ui/alert';
import { type ApiError, isComing } from './api-error';

const TITLES = {
  snapshot_fetching: 'fetching',
  snapshot_elsewhere: 'elsewhere',
  snapshot_checking: 'evaluating',
  no_worker: 'noWorker',
} as const;

/** Shown above every page: why it still waits for the numbers of a snapshot. */
export function ComingSnapshot() {
  const coming = useComingSnapshot();
  return coming === null ? null : <ComingReason coming={coming} />;
}

function ComingReason({ coming: { code, details } }: { coming: ApiError }) {
  const t = useTranslations('filters.report');
  const { doneMb, totalMb, host, share } = details;
  const formatHint = () => {
    if (code === 'snapshot_checking')
      return t('checkingHint', { percent: share == null ? 'unknown' : String(Math.floor(Number(share) * 100)) });
    if (code === 'no_worker') return t('noWorkerHint');
    if (code === 'snapshot_elsewhere') return t('elsewhereHint', { host: String(host) });
    if (Number(totalMb) > 0) return t('fetchingHint', { done: Number(doneMb), total: Number(totalMb) });
    return t('fetchingBegins');
  };
  return (
    <div className="mb-4">
      <Alert tone="info" title={t(TITLES[code as keyof typeof TITLES])}>
        {formatHint()}
      </Alert>
    </div>
  );
}

/** The answer to the newest query that waits for a snapshot; null: none waits. */
function useComingSnapshot(): ApiError | null {
  const client = useQueryClient();
  return useSyncExternalStore(
    (changed) => client.getQueryCache().subscribe(changed),
    () => findWaiting(client),
    () => null,
  );
}

function findWaiting(client: QueryClient): ApiError | null {
  const waiting = client
    .getQueryCache()
    .getAll()
    .map(({ state }) => state)
    .filter(({ fetchStatus, fetchFailureReason }) => fetchStatus !== 'idle' && isComing(fetchFailureReason));
  return (waiting.at(-1)?.fetchFailureReason as ApiError | undefined) ?? null;
}
