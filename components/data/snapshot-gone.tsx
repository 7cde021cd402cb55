import { useTranslations } from 'use-intl';
import type { CurrentSnapshot } from '@/components/data/queries/use-current-snapshot';
import { Alert } from '@/components/ui/alert';

/** Shown for a link to a snapshot that was deleted: the page shows another one. */
export function SnapshotGone({ current }: { current: CurrentSnapshot }) {
  const t = useTranslations('filters.report');
  return current.gone ? <Alert tone="warning">{t('snapshotGone')}</Alert> : null;
}
