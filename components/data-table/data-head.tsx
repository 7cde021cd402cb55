import { useTranslations } from 'use-intl';
import { cn } from '@/components/ui/cn';
import { SortTh, Th } from '@/components/ui/table';
import type { DataColumn, TableSelection } from './data-column';
import { SelectBox } from './select-box';
import type { ColumnChoice } from './use-column-choice';
import type { DataTableModel } from './use-data-table';

/** The header row: names, sort buttons and the checkbox for all rows. */
export function DataHead<R extends object>(props: {
  table: DataTableModel<R>;
  columns: readonly DataColumn<R>[];
  choice: ColumnChoice;
  selection?: TableSelection<R>;
  className?: string;
}) {
  const t = useTranslations('ui.columns');
  const { table, choice } = props;
  return (
    <tr aria-rowindex={1}>
      {props.selection ? (
        <Th className="w-px">
          <SelectBox
            label={props.selection.labelAll}
            checked={table.getIsAllRowsSelected()}
            // Only rows of this table count: the selection may contain rows that another query listed.
            some={table.getCoreRowModel().flatRows.some((row) => row.getIsSelected())}
            onClick={table.getToggleAllRowsSelectedHandler()}
          />
        </Th>
      ) : null}
      {props.columns.map((spec) => {
        const column = table.getColumn(spec.id);
        if (!column?.getIsVisible()) return null;
        const sorted = column.getIsSorted();
        const className = cn(props.className, choice[spec.id] ? null : spec.hide, spec.headClassName);
        if (!column.getCanSort())
          return (
            <Th key={spec.id} data-column={spec.id} right={spec.num} className={className} title={spec.hint}>
              {spec.quiet ? <span className="sr-only">{spec.header}</span> : spec.header}
            </Th>
          );
        return (
          <SortTh
            key={spec.id}
            column={spec.id}
            direction={sorted === false ? 'none' : sorted === 'asc' ? 'ascending' : 'descending'}
            onToggle={() => column.toggleSorting()}
            right={spec.num}
            className={className}
            title={spec.hint ?? t('sortBy', { column: spec.header })}
          >
            {spec.header}
          </SortTh>
        );
      })}
    </tr>
  );
}
