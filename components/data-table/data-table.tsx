import { useState } from 'react';
import { ExactFigures } from '@/components/data/format/value';
import { cn } from '@/components/ui/cn';
import { createLazyPart } from '@/components/ui/on-demand/lazy-part';
import { Table, TableScroll, THead } from '@/components/ui/table';
import { DataHead } from './data-head';
import { DataRows } from './data-rows';
import { useWhole } from './read-table';
import type { DataTableProps } from './table-props';
import { useDataTable } from './use-data-table';
import { useLines } from './use-lines';
import { isWindowed } from './use-window';

const FoldButton = createLazyPart(() => import('./fold-button').then((loaded) => loaded.FoldButton));

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
  const all = useLines(table.getRowModel().rows, props.getGroup);
  const whole = useWhole(props.id);
  const [open, setOpen] = useState(false);
  const folds = props.first !== undefined && all.length > props.first;
  const lines = folds && !open && !whole ? all.slice(0, props.first) : all;
  const scrolls = props.className?.includes('overflow-y-auto') ?? false;
  // A note is a row of its own that belongs to the row above it, so a table with notes renders all rows.
  const windowed = !whole && isWindowed(scrolls && props.note === undefined, lines.length);
  return (
    <>
      <TableScroll ref={props.scrollRef} label={props.label} className={props.className}>
        <Table
          data-table={props.id}
          className={props.tableClassName}
          aria-rowcount={props.page ? props.page.total + 1 : windowed ? lines.length + 1 : undefined}
          // Columns that a person chose on a narrow screen must not leave too little width for the others.
          style={{ minWidth: sumChosenWidth(shown.filter((spec) => choice[spec.id])) }}
        >
          {columns.some((spec) => spec.width !== undefined) ? (
            <colgroup>
              {selection ? <col style={{ width: 48 }} /> : null}
              {shown.map((spec) => (
                <col
                  key={spec.id}
                  className={cn(choice[spec.id] ? null : spec.hide, spec.colClassName)}
                  style={{ width: spec.width }}
                />
              ))}
            </colgroup>
          ) : null}
          <THead className={scrolls ? STICKY : undefined}>
            <DataHead table={table} columns={columns} choice={choice} selection={selection} />
          </THead>
          <ExactFigures value={whole}>
            <DataRows options={props} {...{ lines, shown, choice, windowed }} />
          </ExactFigures>
        </Table>
      </TableScroll>
      {folds ? <FoldButton open={open} shown={props.first ?? 0} total={all.length} onOpen={setOpen} /> : null}
    </>
  );
}

/** Width in px for the column that takes the remaining width, and for columns that nobody has chosen. */
const OTHERS = 480;

/** The least width of a table of fixed layout, px; undefined: nobody has chosen a column that has a width. */
function sumChosenWidth(columns: readonly { width?: number }[]): number | undefined {
  const widths = columns.flatMap(({ width }) => width ?? []);
  return widths.length === 0 ? undefined : widths.reduce((sum, width) => sum + width, OTHERS);
}
