'use client';
import { Plus, SearchX, ServerCog } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { ErrorState } from '@/components/data/error-state';
import { May } from '@/components/data/may';
import { useFleet } from '@/components/data/queries/use-fleet';
import { ColumnChooser } from '@/components/data-table/column-chooser';
import { DataTable } from '@/components/data-table/data-table';
import { longTable } from '@/components/data-table/use-window';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { Link } from '@/components/ui/link';
import { PageHeader } from '@/components/ui/page-header';
import { SkeletonRows } from '@/components/ui/skeleton';
import { visibleText } from '@/components/ui/visible-text';
import { FleetFilters } from './fleet-filters';
import { FleetSummary } from './fleet-summary';
import { useFleetColumns } from './use-fleet-columns';
import { useFleetView } from './use-fleet-view';

export function FleetPage() {
  const t = useTranslations('fleet');
  const fleet = useFleet();
  const columns = useFleetColumns();
  const view = useFleetView(fleet.data ?? []);
  const { group } = view;
  const groupOf = (id: string) => ({
    id,
    label: id === '' ? t(group === 'owner' ? 'group.withoutOwner' : 'group.withoutEnvironment') : visibleText(id),
  });
  const register = (
    <May permission="instance.manage" reason>
      <Button asChild variant="primary">
        <Link href="/instances/new">
          <Plus aria-hidden />
          {t('register')}
        </Link>
      </Button>
    </May>
  );
  return (
    <div className="space-y-4">
      <PageHeader title={t('title')} description={t('intro')} actions={fleet.data?.length === 0 ? null : register} />
      {fleet.error && !fleet.data ? (
        <Card>
          <ErrorState error={fleet.error} onRetry={() => void fleet.refetch()} />
        </Card>
      ) : !fleet.data ? (
        <Card role="status" aria-label={t('tableLabel')}>
          <SkeletonRows rows={6} />
        </Card>
      ) : fleet.data.length === 0 ? (
        <Card>
          <EmptyState icon={ServerCog} title={t('empty.title')} actions={register} className="py-20">
            {t('empty.text')}
          </EmptyState>
        </Card>
      ) : (
        <>
          <FleetSummary rows={fleet.data} />
          <Card>
            <FleetFilters view={view} all={fleet.data}>
              <ColumnChooser table="fleet" columns={columns} />
            </FleetFilters>
            {view.rows.length === 0 ? (
              <EmptyState
                icon={SearchX}
                title={t('noMatch.title')}
                actions={<Button onClick={view.clear}>{t('noMatch.action')}</Button>}
              >
                {t('noMatch.text')}
              </EmptyState>
            ) : (
              <DataTable
                id="fleet"
                label={t('tableLabel')}
                columns={columns}
                rows={view.rows}
                className={group === 'none' ? longTable(view.rows.length) : undefined}
                rowId={(row) => row.instance.id}
                groupOf={group === 'none' ? undefined : ({ instance }) => groupOf(instance[group])}
                order={{ sort: view.sort, onSort: view.setSort }}
              />
            )}
          </Card>
        </>
      )}
    </div>
  );
}
