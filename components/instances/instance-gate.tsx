'use client';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { ErrorState } from '@/components/data/error-state';
import { useInstance } from '@/components/data/queries/use-instances';
import { SliceNote } from '@/components/reports/filter/slice-note';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Link } from '@/components/ui/link';

/** Pages of an instance that is not there say so once, instead of each report failing on its own. */
export function InstanceGate({ id, children }: { id: string; children: ReactNode }) {
  const t = useTranslations('nav');
  const { data, error, refetch } = useInstance(id);
  if (error && !data)
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
