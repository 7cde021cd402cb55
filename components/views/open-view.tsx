'use client';
import { useRouter } from 'next/navigation';
import { useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { ErrorState } from '@/components/data/error-state';
import { useView } from '@/components/data/queries/use-views';
import { chooseColumns } from '@/components/data-table/use-column-choice';
import { Card } from '@/components/ui/card';
import { PageHeader } from '@/components/ui/page-header';
import { toVisibleText } from '@/components/ui/visible-text';
import { buildViewPage } from './view-href';

/** The page that a shared link to a view opens: sets the columns of the view and goes to its page. */
export function OpenView({ id }: { id: string }) {
  const t = useTranslations('nav');
  const router = useRouter();
  const { data: view, error, refetch } = useView(id);
  useEffect(() => {
    if (!view) return;
    chooseColumns(view.columns);
    router.replace(buildViewPage(view));
  }, [view, router]);
  return (
    <div className="flex flex-col gap-4">
      <PageHeader
        title={view ? toVisibleText(view.name) : t('views')}
        description={error ? undefined : t('viewOpening')}
      />
      {error ? (
        <Card>
          <ErrorState error={error} onRetry={() => void refetch()} />
        </Card>
      ) : null}
    </div>
  );
}
