import { Table, TableScroll, THead } from '@/components/ui/table';
import { DataHead } from './data-head';
import { DataRows } from './data-rows';
import type { DataTableProps } from './table-props';
import { useDataTable } from './use-data-table';
import { useLines } from './use-lines';
import { isWindowed } from './use-window';

const STICKY = 'sticky top-0 z-10 border-b-0 bg-surface shadow-[inset_0_-1px_0_var(--border)]';

/**
 * A table of records: sorted by its headers, its columns chosen (beside a `ColumnChooser` of the same id), its rows
 * opened and ticked. Where it scrolls by itself only the rows in sight are drawn (`useWindow`). Tab goes through the
 * controls of one row and out of the table, arrow keys to the others; a table whose rows open sees to that itself.
 */
export function DataTable<R extends object>(props: DataTableProps<R>) {
  const { columns, selection } = props;
  const { table, choice, shown } = useDataTable(props);
  const lines = useLines(table.getRowModel().rows, props.groupOf);
  const scrolls = props.className?.includes('overflow-y-auto') ?? false;
  // A note is a row of its own, which belongs to the one above it.
  const windowed = isWindowed(scrolls && props.note === undefined, lines.length);
  return (
    <TableScroll label={props.label} className={props.className}>
      <Table
        data-table={props.id}
        className={props.tableClassName}
        aria-rowcount={windowed ? lines.length + 1 : undefined}
      >
        <THead className={scrolls ? STICKY : undefined}>
          <DataHead table={table} columns={columns} choice={choice} selection={selection} />
        </THead>
        <DataRows options={props} {...{ lines, shown, choice, windowed }} />
      </Table>
    </TableScroll>
  );
}
