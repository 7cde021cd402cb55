import { useTranslations } from 'use-intl';
import { Alert } from '@/components/ui/alert';
import type { ApiError } from './api-error';

const TITLES = {
  snapshot_fetching: 'fetching',
  snapshot_elsewhere: 'elsewhere',
  snapshot_checking: 'evaluating',
  no_worker: 'noWorker',
} as const;

/** Says why a page still waits for the numbers of a snapshot. */
export default function ComingReason({ coming: { code, details } }: { coming: ApiError }) {
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
