import { useTranslations } from 'use-intl';
import { Alert } from '@/components/ui/alert';
import type { ApiError } from './api-error';
import { useComingSnapshot } from './use-coming-snapshot';

/** Above every page: why it still waits for numbers of a snapshot. */
export function ComingSnapshot() {
  const coming = useComingSnapshot();
  const said = useReason();
  if (coming === null) return null;
  const { title, hint } = said(coming);
  return (
    <div className="mb-4">
      <Alert tone="info" title={title}>
        {hint}
      </Alert>
    </div>
  );
}

function useReason(): (coming: ApiError) => { title: string; hint: string } {
  const t = useTranslations('filters.report');
  return ({ code, details: { doneMb, totalMb, host, share } }) => {
    if (code === 'snapshot_checking') {
      const title =
        typeof share === 'number' ? t('checkingShare', { percent: Math.floor(share * 100) }) : t('evaluating');
      return { title, hint: t('checkingHint') };
    }
    if (code !== 'snapshot_fetching')
      return { title: t('elsewhere'), hint: t('elsewhereHint', { host: String(host) }) };
    const hint =
      Number(totalMb) > 0 ? t('fetchingHint', { done: Number(doneMb), total: Number(totalMb) }) : t('fetchingBegins');
    return { title: t('fetching'), hint };
  };
}
