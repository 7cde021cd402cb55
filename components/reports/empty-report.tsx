import { Camera, SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useInstance } from '@/components/data/queries/use-instances';
import { useHere } from '@/components/layout/navigation/use-here';
import { ScanButton } from '@/components/scans/scan-button';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { Link } from '@/components/ui/link';

/** In place of a report of an instance without a snapshot: offers to start the first scan. */
export function NoSnapshot({ instanceId }: { instanceId: string }) {
  const t = useTranslations('filters.report');
  const { instanceHref } = useHere();
  const { data: instance } = useInstance(instanceId);
  return (
    <Card>
      <EmptyState
        icon={Camera}
        title={t('noSnapshotTitle')}
        actions={
          <>
            {instance ? <ScanButton instance={instance} variant="primary" /> : null}
            <Button asChild>
              <Link href={instanceHref(instanceId, '')}>{t('toInstance')}</Link>
            </Button>
          </>
        }
      >
        {t('noSnapshot')}
      </EmptyState>
    </Card>
  );
}

/** In place of a report about no keys. `onClear`: removes the filter; null = there is none. */
export function NothingFound({ onClear, children }: { onClear: (() => void) | null; children: ReactNode }) {
  const t = useTranslations('filters.report');
  return (
    <Card>
      <EmptyState
        icon={SearchX}
        title={t('emptyTitle')}
        actions={onClear === null ? null : <Button onClick={onClear}>{t('clearFilters')}</Button>}
      >
        {children ?? t(onClear === null ? 'emptySnapshot' : 'emptyFiltered')}
      </EmptyState>
    </Card>
  );
}
