import { useLayoutEffect, useRef } from 'react';
import { forget, getKept, keep } from '@/components/data/kept/use-kept-state';
import type { DataColumn, TableSelection } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import type { KeyRow } from '@/lib/model/snapshots/snapshot';
import { useFilter } from './filter/use-filter';

/** A row has no `k` if its name was too long for the snapshot, so its index identifies it. */
const buildKeyRowId = (row: KeyRow, index: number): string => `${row.db}:${row.k ?? `#${index}`}`;

/**
 * A page of a list of keys, which scrolls by itself. Its layout is fixed, so that names get the remaining width. The
 * server sorts; the header writes the order to the URL.
 */
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
  const { id, label, columns, rows, sort, onSort, selection } = props;
  const scroll = useRef<HTMLElement>(null);
  // A new page, order or filter starts scrolled to the top; a reader who returns to a page comes back to the same
  // position. Returning to an earlier query starts at the top as well. The first row identifies the page.
  const queryName = `scroll ${id} ${sort} ${JSON.stringify(useFilter().filter)} `;
  const pageName = `${queryName}${rows[0] && buildKeyRowId(rows[0], 0)}`;
  const lastQuery = useRef(queryName);
  useLayoutEffect(() => {
    if (lastQuery.current !== queryName) forget(queryName);
    lastQuery.current = queryName;
    const region = scroll.current;
    region?.scrollTo({ top: Number(getKept(pageName) ?? 0) });
    return () => keep(pageName, region?.scrollTop ?? 0);
  }, [pageName, queryName]);
  return (
    <DataTable
      {...{ id, label, columns, rows, selection }}
      rowId={buildKeyRowId}
      order={{ sort, onSort, byServer: true }}
      page={{ first: props.firstIndex, total: props.total }}
      scrollRef={scroll}
      className="max-h-[calc(100dvh-20rem)] min-h-72 overflow-y-auto rounded-t-lg"
      tableClassName="table-fixed [&_td]:truncate [&_th]:overflow-hidden"
    />
  );
}
