import { useTranslations } from 'use-intl';
import { Alert } from '@/components/ui/alert';
import { useComingSnapshot } from './use-coming-snapshot';

/** Above every page: why it still waits for the numbers of a snapshot that another machine made. */
export function ComingSnapshot() {
  const t = useTranslations('filters.report');
  const coming = useComingSnapshot();
  if (coming === null) return null;
  const { doneMb, totalMb, host } = coming.details;
  return (
    <div className="mb-4">
      <Alert tone="info" title={coming.code === 'snapshot_fetching' ? t('fetching') : t('elsewhere')}>
        {coming.code === 'snapshot_fetching'
          ? Number(totalMb) > 0
            ? t('fetchingHint', { done: Number(doneMb), total: Number(totalMb) })
            : t('fetchingBegins')
          : t('elsewhereHint', { host: String(host) })}
      </Alert>
    </div>
  );
}
