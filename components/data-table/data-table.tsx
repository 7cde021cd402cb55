import { type ComponentProps, Fragment, type ReactNode, useRef } from 'react';
import { Table, TableScroll, TBody, THead, Tr } from '@/components/ui/table';
import type { RowMark } from './data-column';
import { DataHead } from './data-head';
import { DataRow } from './data-row';
import { type DataTableOptions, useDataTable } from './use-data-table';
import { type NamedGroup, useLines } from './use-lines';
import { useRovingRows } from './use-roving-rows';
import { useWindow } from './use-window';

const STICKY = 'sticky top-0 z-10 border-b-0 bg-surface shadow-[inset_0_-1px_0_var(--border)]';

/**
 * A table of records: sorted by its headers, its columns chosen (beside a `ColumnChooser` of the same id), its rows
 * opened and ticked. Where it scrolls by itself only the rows in sight are drawn (`useWindow`). Tab goes through the
 * controls of one row and out of the table, arrow keys to the others; a table whose rows open sees to that itself.
 */
export function DataTable<R extends object>(
  props: DataTableOptions<R> & {
    label: string;
    /** Of the scrolling region; with a height of its own the header stays in sight. */
    className?: string;
    tableClassName?: string;
    bodyProps?: ComponentProps<'tbody'>;
    /** Of a row; another function draws every row anew. */
    rowProps?: (row: R) => ComponentProps<'tr'>;
    mark?: RowMark<R>;
    /** A line below the row over its whole width. */
    note?: (row: R) => ReactNode;
    /** The id of a row that is drawn wherever the table is scrolled: the one that the keyboard is on by then. */
    kept?: () => string | null;
    /** Rows of one group stand together below its name, groups in the order of their names, '' last. */
    groupOf?: (row: R) => NamedGroup;
    /** Said instead of rows. */
    empty?: ReactNode;
  },
) {
  const { columns, selection, expansion } = props;
  const { table, choice, shown } = useDataTable(props);
  const lines = useLines(table.getRowModel().rows, props.groupOf);
  const width = shown.length + (selection ? 1 : 0);
  const scrolls = props.className?.includes('overflow-y-auto') ?? false;
  const scroll = useRef<HTMLElement>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  const roving = useRovingRows(body);
  // A note is a row of its own, which belongs to the one above it.
  const view = useWindow(
    scroll,
    lines.map((line) => line.id),
    { scrolls: scrolls && props.note === undefined, kept: props.kept ?? (expansion ? undefined : roving.activeRow) },
  );
  const drawn = view === null ? lines : view.indexes.flatMap((index) => lines[index] ?? []);
  return (
    <TableScroll ref={scroll} label={props.label} className={props.className}>
      <Table
        data-table={props.id}
        className={props.tableClassName}
        aria-rowcount={view === null ? undefined : lines.length + 1}
      >
        <THead className={scrolls ? STICKY : undefined}>
          <DataHead table={table} columns={columns} choice={choice} selection={selection} />
        </THead>
        <TBody ref={body} {...(expansion ? null : roving.listeners)} {...props.bodyProps}>
          {view !== null && view.before > 0 ? <tr aria-hidden style={{ height: view.before }} /> : null}
          {drawn.map(({ id, row, group }, place) => {
            const index = view?.indexes[place];
            if (group !== undefined)
              return (
                <Tr
                  key={id}
                  ref={view?.measure}
                  data-index={index}
                  aria-rowindex={index === undefined ? undefined : index + 2}
                  className="bg-muted/60 hover:bg-muted/60"
                >
                  <th scope="rowgroup" colSpan={width} className="px-4 py-1.5 text-left font-medium text-xs">
                    {group.label}
                  </th>
                </Tr>
              );
            const note = props.note?.(row.original) ?? null;
            return (
              <Fragment key={id}>
                <DataRow
                  row={row}
                  columns={shown}
                  choice={choice}
                  index={index}
                  measure={view?.measure}
                  noted={note !== null}
                  selectLabel={selection ? selection.label(row.original) : null}
                  selected={row.getIsSelected()}
                  selectable={row.getCanSelect()}
                  expands={expansion !== undefined}
                  openLabel={expansion && row.getCanExpand() ? expansion.label(row.original) : null}
                  open={row.getIsExpanded()}
                  mark={props.mark}
                  rowProps={props.rowProps}
                />
                {note === null ? null : (
                  <Tr className="hover:bg-transparent">
                    <td colSpan={width} className="px-4 pb-2 text-muted-foreground text-xs">
                      {note}
                    </td>
                  </Tr>
                )}
              </Fragment>
            );
          })}
          {view !== null && view.after > 0 ? <tr aria-hidden style={{ height: view.after }} /> : null}
          {lines.length === 0 && props.empty !== undefined ? (
            <tr>
              <td colSpan={width} className="px-4 py-6 text-center text-muted-foreground">
                {props.empty}
              </td>
            </tr>
          ) : null}
        </TBody>
      </Table>
    </TableScroll>
  );
}
