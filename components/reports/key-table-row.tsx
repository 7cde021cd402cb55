import { memo, type ReactNode } from 'react';
import type { DataColumn } from '@/components/data-table/data-column';
import { SelectBox } from '@/components/data-table/select-box';
import type { ColumnChoice } from '@/components/data-table/use-column-choice';
import type { DataTableRow } from '@/components/data-table/use-data-table';
import { cn } from '@/components/ui/cn';
import type { KeyRow } from '@/lib/model/snapshots/snapshot';

/** Height of every row in px. */
export const ROW_HEIGHT = 36;

interface KeyTableRowProps<R extends KeyRow> {
  row: DataTableRow<R>;
  /** The columns that are shown. */
  columns: readonly DataColumn<R>[];
  choice: ColumnChoice;
  rowIndex: number;
  /** Label of the row's checkbox; null: rows have none. */
  selectLabel: string | null;
  selected: boolean;
  selectable: boolean;
}

/**
 * One row. It is memoized by everything that it shows, so that scrolling or selecting another row does not render it
 * again.
 */
export const KeyTableRow = memo(function KeyTableRow<R extends KeyRow>(props: KeyTableRowProps<R>) {
  const { row, choice } = props;
  return (
    <tr
      data-row={row.id}
      aria-rowindex={props.rowIndex}
      className="border-b hover:bg-hover/60"
      style={{ height: ROW_HEIGHT }}
    >
      {props.selectLabel === null ? null : (
        <td className="pr-3 pl-4">
          <SelectBox
            label={props.selectLabel}
            checked={props.selected}
            disabled={!props.selectable}
            onClick={(event) => row.getToggleSelectedHandler()(event)}
          />
        </td>
      )}
      {props.columns.map((spec) => (
        <td
          key={spec.id}
          className={cn(
            'truncate px-3 first:pl-4 last:pr-4',
            spec.num && 'num text-right',
            choice[spec.id] ? null : spec.hide,
            spec.className,
          )}
        >
          {spec.cell(row.original, { reachable: true })}
        </td>
      ))}
    </tr>
  );
}) as <R extends KeyRow>(props: KeyTableRowProps<R>) => ReactNode;
