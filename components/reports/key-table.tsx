/**
 * The list of keys: virtualised rows in a native table (fixed layout, spacer rows above and below), so that screen
 * readers get a table and 1,000 rows cost as much as 30. The server sorts; the header writes the order to the URL.
 */
import { useVirtualizer } from '@tanstack/react-virtual';
import { Fragment, useLayoutEffect, useRef } from 'react';
import { forget, getKept, keep } from '@/components/data/kept/use-kept-state';
import type { DataColumn, TableSelection } from '@/components/data-table/data-column';
import { DataHead } from '@/components/data-table/data-head';
import { Space } from '@/components/data-table/space';
import { useDataTable } from '@/components/data-table/use-data-table';
import { useRovingRows } from '@/components/data-table/use-roving-rows';
import { computeSpaces, withKept } from '@/components/data-table/use-window';
import { cn } from '@/components/ui/cn';
import type { KeyRow } from '@/lib/model/snapshots/snapshot';
import { useFilter } from './filter/use-filter';
import { KeyTableRow, ROW_HEIGHT } from './key-table-row';

/** A row has no `k` if its name was too long for the snapshot, so its index identifies it. */
const buildKeyRowId = (row: KeyRow, index: number): string => `${row.db}:${row.k ?? `#${index}`}`;

export function KeyTable<R extends KeyRow>(props: {
  /** The chosen columns are stored under this name. */
  id: string;
  label: string;
  columns: readonly DataColumn<R>[];
  rows: readonly R[];
  total: number;
  firstIndex: number;
  sort: string;
  onSort: (sort: string) => void;
  selection?: TableSelection<R>;
}) {
  const { columns, selection } = props;
  const scroll = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  const roving = useRovingRows(body);
  const { table, choice, shown } = useDataTable({
    id: props.id,
    columns,
    rows: props.rows,
    rowId: buildKeyRowId,
    order: { sort: props.sort, onSort: props.onSort, byServer: true },
    selection,
  });
  const rows = table.getRowModel().rows;
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 12,
    // The server and the first render do not know the height, so they render as many rows as a usual window shows.
    initialRect: { width: 1000, height: 720 },
    // The row that has the keyboard focus stays rendered, otherwise the focus would leave the table.
    rangeExtractor: (range) =>
      withKept(
        range,
        rows.findIndex((row) => row.id === roving.activeRow()),
      ),
  });
  const items = virtualizer.getVirtualItems();
  const { before, after } = computeSpaces(items, virtualizer.getTotalSize());
  // A new page, order or filter starts scrolled to the top; a reader who returns to a page comes back to the same
  // position. Returning to an earlier query starts at the top as well. The first row identifies the page.
  const queryName = `scroll ${props.id} ${props.sort} ${JSON.stringify(useFilter().filter)} `;
  const pageName = `${queryName}${rows[0]?.id}`;
  const lastQuery = useRef(queryName);
  useLayoutEffect(() => {
    if (lastQuery.current !== queryName) forget(queryName);
    lastQuery.current = queryName;
    const region = scroll.current;
    region?.scrollTo({ top: Number(getKept(pageName) ?? 0) });
    return () => keep(pageName, region?.scrollTop ?? 0);
  }, [pageName, queryName]);

  return (
    <section
      ref={scroll}
      aria-label={props.label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
      tabIndex={0}
      // `relative` contains the sr-only texts of the rows: otherwise they would lengthen the page.
      className="relative max-h-[calc(100dvh-20rem)] min-h-72 overflow-auto rounded-t-lg"
    >
      <table
        data-table={props.id}
        aria-rowcount={props.total + 1}
        className="w-full table-fixed border-collapse text-sm"
        // Columns that a person chose on a narrow screen must not leave too little width for the name.
        style={{ minWidth: sumChosenWidth(shown.filter((spec) => choice[spec.id])) }}
      >
        <colgroup>
          {selection ? <col style={{ width: 48 }} /> : null}
          {shown.map((spec) => (
            <col key={spec.id} className={cn(choice[spec.id] ? null : spec.hide)} style={{ width: spec.width }} />
          ))}
        </colgroup>
        <thead className="sticky top-0 z-10 bg-surface text-muted-foreground text-xs shadow-[inset_0_-1px_0_var(--border)]">
          <DataHead table={table} columns={columns} choice={choice} selection={selection} className="overflow-hidden" />
        </thead>
        <tbody ref={body} {...roving.listeners}>
          {items.map((item, i) => {
            const row = rows[item.index];
            if (!row) return null;
            return (
              <Fragment key={row.id}>
                <Space height={before[i]} />
                <KeyTableRow
                  row={row}
                  columns={shown}
                  choice={choice}
                  rowIndex={props.firstIndex + item.index + 2}
                  selectLabel={selection ? selection.label(row.original) : null}
                  selected={row.getIsSelected()}
                  selectable={row.getCanSelect()}
                />
              </Fragment>
            );
          })}
          <Space height={after} />
        </tbody>
      </table>
    </section>
  );
}

/** Width in px for the name and for columns that nobody has chosen. */
const NAME_AND_OTHERS = 480;

/** The least width of a table in px; undefined: nobody has chosen a column, so the table is as wide as its place. */
function sumChosenWidth(columns: readonly { width?: number }[]): number | undefined {
  if (columns.length === 0) return undefined;
  return columns.reduce((sum, { width = 0 }) => sum + width, NAME_AND_OTHERS);
}
