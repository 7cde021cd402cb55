import {
  columnVisibilityFeature,
  createColumnHelper,
  createExpandedRowModel,
  createSortedRowModel,
  functionalUpdate,
  type ReactTable,
  rowExpandingFeature,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useMemo, useState } from 'react';
import { useLocale } from 'use-intl';
import { createValueComparison } from '@/lib/model/reports/table-order';
import { type DataColumn, sortName, type TableExpansion, type TableOrder, type TableSelection } from './data-column';
import { useColumnChoice } from './use-column-choice';

const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  columnVisibilityFeature,
  rowSelectionFeature,
  rowExpandingFeature,
  expandedRowModel: createExpandedRowModel(),
});

export interface DataTableOptions<R extends object> {
  /** Its name on the page: the chosen columns are stored under it, and a file is read from the table of this name. */
  id?: string;
  columns: readonly DataColumn<R>[];
  rows: readonly R[];
  rowId: (row: R, index: number) => string;
  /** Without it the table keeps its sorting in its own state and forgets it on unmount. */
  order?: TableOrder;
  expansion?: TableExpansion<R>;
  selection?: TableSelection<R>;
}

const NONE: Record<string, true> = {};
const toIdRecord = (ids: ReadonlySet<string> | undefined): Record<string, true> =>
  ids === undefined || ids.size === 0 ? NONE : Object.fromEntries([...ids].map((id) => [id, true]));

/**
 * TanStack's table model over Colonnade's columns: sorting, chosen columns, opened and selected rows. `shown`: the
 * columns that nobody has turned off. Rendering is left to the caller.
 */
export function useDataTable<R extends object>(options: DataTableOptions<R>) {
  const { columns: specs, order, expansion, selection } = options;
  const locale = useLocale();
  const [ownSort, setOwnSort] = useState('');
  const { choice } = useColumnChoice(options.id);
  const sort = order?.sort ?? ownSort;
  const columns = useMemo(() => {
    const helper = createColumnHelper<typeof features, R>();
    const compare = createValueComparison(locale);
    return specs.map((spec) =>
      helper.accessor((row): unknown => spec.value?.(row) ?? undefined, {
        id: spec.id,
        enableSorting: order?.byServer ? spec.sort !== undefined : spec.value !== undefined,
        sortDescFirst: spec.descFirst ?? spec.num ?? false,
        sortUndefined: 'last',
        sortFn: (a, b, id) => compare(a.getValue(id), b.getValue(id)),
      }),
    );
  }, [specs, locale, order?.byServer]);
  const sorting = useMemo(() => {
    const name = sort.replace(/^-/, '');
    const column = specs.find((spec) => sortName(spec) === name);
    return column ? [{ id: column.id, desc: sort.startsWith('-') }] : [];
  }, [sort, specs]);
  const below = expansion?.rows;
  // biome-ignore lint/correctness/useExhaustiveDependencies: TanStack reads child rows only when the list is a new array
  const data = useMemo(() => [...options.rows], [options.rows, below]);
  const rowSelection = useMemo(() => toIdRecord(selection?.chosen), [selection?.chosen]);
  const expanded = useMemo(() => toIdRecord(expansion?.open), [expansion?.open]);
  const table = useTable({
    features,
    columns,
    data,
    getRowId: (row, index) => options.rowId(row, index),
    state: { sorting, columnVisibility: choice, rowSelection, expanded },
    manualSorting: order?.byServer ?? false,
    enableMultiSort: false,
    onSortingChange: (updater) => {
      const [before] = sorting;
      // A table sorted by the server has no unsorted order to return to after both directions, so the direction flips.
      const flipped = before && order?.byServer ? { ...before, desc: !before.desc } : undefined;
      const next = functionalUpdate(updater, sorting)[0] ?? flipped;
      const spec = specs.find((column) => column.id === next?.id);
      (order?.onSort ?? setOwnSort)(next && spec ? `${next.desc ? '-' : ''}${sortName(spec)}` : '');
    },
    // Selecting a row does not select its child rows one by one: it already contains them.
    enableSubRowSelection: false,
    enableRowSelection: (row) => selection?.can?.(row.original) ?? true,
    onRowSelectionChange: (updater) => {
      const next = functionalUpdate(updater, rowSelection);
      const rows = table.getCoreRowModel().flatRows;
      const findChanged = (on: boolean) =>
        rows.filter((row) => (next[row.id] ?? false) === on && (rowSelection[row.id] ?? false) !== on);
      for (const on of [true, false]) {
        const changed = findChanged(on).map((row) => row.original);
        if (changed.length > 0) selection?.onToggle(changed, on);
      }
    },
    getSubRows: below ? (row, index) => below.get(options.rowId(row, index)) : undefined,
    getRowCanExpand: (row) => expansion?.canOpen(row.original) ?? false,
    autoResetExpanded: false,
    onExpandedChange: (updater) => {
      const next = functionalUpdate(updater, expanded);
      for (const row of table.getCoreRowModel().flatRows) {
        const on = next === true || next[row.id] === true;
        if (on !== (expanded[row.id] ?? false)) expansion?.onToggle(row.id, on);
      }
    },
  });
  const shown = useMemo(() => specs.filter((spec) => choice[spec.id] !== false), [specs, choice]);
  return { table, choice, shown };
}

export type DataTableModel<R extends object> = ReactTable<typeof features, R>;
export type DataTableRow<R extends object> = ReturnType<DataTableModel<R>['getRowModel']>['rows'][number];
