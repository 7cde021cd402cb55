import { SearchX } from 'lucide-react';
import { useLocale, useTranslations } from 'use-intl';
import { fleetFileUrl } from '@/components/data/queries/use-fleet';
import { ColumnChooser } from '@/components/data-table/column-chooser';
import { DataTable } from '@/components/data-table/data-table';
import { longTable } from '@/components/data-table/use-window';
import { ListFileMenu } from '@/components/reports/files/file-menu';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { visibleText } from '@/components/ui/visible-text';
import type { FleetRow } from '@/lib/model/reports/fleet';
import { FLEET_VALUES } from '@/lib/model/reports/list-values';
import { shownOrder } from '@/lib/model/reports/table-order';
import { FleetFilters } from './fleet-filters';
import { useFleetColumns } from './use-fleet-columns';
import { useFleetView } from './use-fleet-view';

/** All instances, filtered, grouped and sorted as in the address. */
export function FleetTable({ all }: { all: FleetRow[] }) {
  const t = useTranslations('fleet');
  const columns = useFleetColumns();
  const view = useFleetView(all);
  const lang = useLocale();
  const { group, q, env, tag } = view;
  const order = { lang, ...shownOrder(FLEET_VALUES, view.sort, lang) };
  const groupOf = (id: string) => ({
    id,
    label: id === '' ? t(group === 'owner' ? 'group.withoutOwner' : 'group.withoutEnvironment') : visibleText(id),
  });
  return (
    <Card>
      <FleetFilters view={view} all={all}>
        <ColumnChooser table="fleet" columns={columns} />
        <ListFileMenu href={(format) => fleetFileUrl({ q, env, tag, group }, order, format)} />
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
          className={longTable(view.rows.length)}
          rowId={(row) => row.instance.id}
          groupOf={group === 'none' ? undefined : ({ instance }) => groupOf(instance[group])}
          order={{ sort: view.sort, onSort: view.setSort }}
        />
      )}
    </Card>
  );
}
