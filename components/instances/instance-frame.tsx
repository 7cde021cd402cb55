'use client';
import { type ReactNode, useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { asErrorBody } from '@/components/data/api-error';
import { ErrorState } from '@/components/data/error-state';
import { useInstance } from '@/components/data/queries/use-instances';
import { rememberSlice } from '@/components/layout/navigation/last-slice';
import { useHere } from '@/components/layout/navigation/use-here';
import { SliceNote } from '@/components/reports/filter/slice-note';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Link } from '@/components/ui/link';
import { createLazyPart } from '@/components/ui/on-demand/lazy-part';

const InstanceRemoved = createLazyPart(() => import('./instance-removed').then((loaded) => loaded.InstanceRemoved));

/**
 * The frame of all pages of an instance: it shows the filter fields that a page does not use, and remembers the current
 * filter for a reader who leaves the instance and returns. If the instance cannot be read (it may not exist), the error
 * is shown once, instead of each report failing on its own.
 */
export function InstanceFrame({ id, children }: { id: string; children: ReactNode }) {
  const t = useTranslations('nav');
  const { data, error, refetch } = useInstance(id);
  const { instanceId, slice } = useHere();
  useEffect(() => {
    if (instanceId !== null) rememberSlice(instanceId, slice);
  }, [instanceId, slice]);
  const { code, details } = asErrorBody(error);
  if (code === 'not_found' && details?.removed === true) return <InstanceRemoved />;
  if (error && (!data || code === 'not_found'))
    return (
      <Card>
        <ErrorState
          page
          error={error}
          onRetry={() => void refetch()}
          actions={
            <Button asChild size="sm">
              <Link href="/">{t('fleet')}</Link>
            </Button>
          }
        />
      </Card>
    );
  return (
    <div className="flex flex-col gap-4">
      <SliceNote />
      {children}
    </div>
  );
}
