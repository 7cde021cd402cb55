import { SearchX } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { ColumnChooser } from '@/components/data-table/column-chooser';
import { DataTable } from '@/components/data-table/data-table';
import { limitTableHeight } from '@/components/data-table/use-window';
import { OneTableMenu } from '@/components/reports/files/table-menu';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { toVisibleText } from '@/components/ui/visible-text';
import type { FleetRow } from '@/lib/model/reports/fleet';
import { FleetFilters } from './fleet-filters';
import { ScanAllButton } from './scan-all-button';
import { useFleetColumns } from './use-fleet-columns';
import { useFleetView } from './use-fleet-view';

/** All instances, filtered, grouped and sorted as in the address. */
export function FleetTable({ all }: { all: FleetRow[] }) {
  const t = useTranslations('fleet');
  const columns = useFleetColumns();
  const view = useFleetView(all);
  const { group } = view;
  const toFleetGroup = (id: string) => ({
    id,
    label: id === '' ? t(group === 'owner' ? 'group.withoutOwner' : 'group.withoutEnvironment') : toVisibleText(id),
  });
  return (
    <Card>
      <FleetFilters view={view} all={all}>
        <ScanAllButton rows={view.rows} />
        <ColumnChooser table="fleet" columns={columns} />
        <OneTableMenu id="fleet" name={t('tableLabel')} />
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
          className={limitTableHeight(view.rows.length)}
          rowId={(row) => row.instance.id}
          getGroup={group === 'none' ? undefined : ({ instance }) => toFleetGroup(instance[group])}
          order={{ sort: view.sort, onSort: view.setSort }}
        />
      )}
    </Card>
  );
}
