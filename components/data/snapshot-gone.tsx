'use client';
import { useTranslations } from 'use-intl';
import { Alert } from '@/components/ui/alert';
import type { CurrentSnapshot } from './use-current-snapshot';

/** For a link to a snapshot that was removed: what is shown is another one. */
export function SnapshotGone({ current }: { current: CurrentSnapshot }) {
  const t = useTranslations('filters.report');
  return current.gone ? <Alert tone="warning">{t('snapshotGone')}</Alert> : null;
}
