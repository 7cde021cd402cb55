import { ExactFigures } from '@/components/data/format/value';
import { Table, TableScroll, THead } from '@/components/ui/table';
import { DataHead } from './data-head';
import { DataRows } from './data-rows';
import { useWhole } from './read-table';
import type { DataTableProps } from './table-props';
import { useDataTable } from './use-data-table';
import { useLines } from './use-lines';
import { isWindowed } from './use-window';

/** Classes of a header that stays visible while the rows scroll. */
const STICKY = 'sticky top-0 z-10 border-b-0 bg-surface shadow-[inset_0_-1px_0_var(--border)]';

/**
 * A table of records. Its headers sort it, its columns can be chosen (with a `ColumnChooser` of the same id), and its
 * rows can be opened and selected. If it scrolls by itself, only the visible rows are rendered (`useWindow`). Tab goes
 * through the controls of one row and then out of the table; arrow keys go to the other rows. If rows can be opened,
 * the page handles the keyboard (`bodyProps`, `mark`, `kept`).
 */
export function DataTable<R extends object>(props: DataTableProps<R>) {
  const { columns, selection } = props;
  const { table, choice, shown } = useDataTable(props);
  const lines = useLines(table.getRowModel().rows, props.getGroup);
  const whole = useWhole(props.id);
  const scrolls = props.className?.includes('overflow-y-auto') ?? false;
  // A note is a row of its own that belongs to the row above it, so a table with notes renders all rows.
  const windowed = !whole && isWindowed(scrolls && props.note === undefined, lines.length);
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
        <ExactFigures value={whole}>
          <DataRows options={props} {...{ lines, shown, choice, windowed }} />
        </ExactFigures>
      </Table>
    </TableScroll>
  );
}
