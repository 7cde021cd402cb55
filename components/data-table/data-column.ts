import type { ReactNode } from 'react';

/** Facts about a row that a cell may need besides the record. */
interface RowState {
  /**
   * Whether Tab reaches the cell's controls: true in the row that the arrow keys are on, and in all rows if there is no
   * such row.
   */
  reachable: boolean;
}

/** One column of a table: what it shows, what it sorts by, and at which widths it is hidden. */
export interface DataColumn<R> {
  id: string;
  header: string;
  /** The header is for screen readers only (a column of buttons). */
  quiet?: boolean;
  /** Explains the header. */
  hint?: string;
  /**
   * A row is rendered again only when its record, its state or the columns change. If a cell depends on anything else,
   * a change of that must create new columns.
   */
  cell: (row: R, state: RowState) => ReactNode;
  /**
   * The value that the browser sorts by. null is unknown and comes last in either direction. A column without this
   * function is not sortable.
   */
  value?: (row: R) => string | number | null | undefined;
  /** Name in the address and at the server, if it differs from the id. A table sorted by the server needs it. */
  sort?: string;
  /** The column has figures: they are aligned to the right and sorted largest first. */
  num?: boolean;
  /** Sorts descending first although it is not a figure, e.g. a time. */
  descFirst?: boolean;
  /**
   * Classes that hide the column where it does not fit, e.g. `max-sm:hidden`. Ignored once a person has chosen the
   * column.
   */
  hide?: string;
  className?: string;
  /** Classes of the cells of one row. */
  getClass?: (row: R) => string | null;
  headClassName?: string;
  getTitle?: (row: R) => string | undefined;
  /** Width in px in tables of fixed layout; the column without it takes the remaining width. */
  width?: number;
  /** Classes of its `col` in such a table, e.g. another width on a phone. */
  colClassName?: string;
  /** The column is always shown and is not in the column chooser. */
  fixed?: boolean;
  /** The button that opens and closes rows is in this column. */
  expander?: boolean;
}

/**
 * Sorting that is stored outside the table, e.g. in the address. `bytes` is ascending, `-bytes` descending, '' the
 * order in which the rows came.
 */
export interface TableOrder {
  sort: string;
  onSort: (sort: string) => void;
  /** The rows come sorted by the server. */
  byServer?: boolean;
}

export interface TableExpansion<R> {
  open: ReadonlySet<string>;
  onToggle: (id: string, open: boolean) => void;
  canOpen: (row: R) => boolean;
  /** Id of a row → its child rows, as far as they are loaded. A change must create a new map. */
  rows: ReadonlyMap<string, readonly R[]>;
  /** Label of the button that opens this row. */
  label: (row: R) => string;
}

export interface TableSelection<R> {
  /** Ids of the selected rows, including rows that are on no page now. */
  chosen: ReadonlySet<string>;
  /** Called with the rows of this table that were selected or deselected. */
  onToggle: (rows: readonly R[], on: boolean) => void;
  can?: (row: R) => boolean;
  label: (row: R) => string;
  labelAll: string;
}

/**
 * Which row is marked and which one Tab reaches. This is kept outside of React's state, so that a change renders two
 * rows, not the table. If two rows show the same record (a key and its branch), both are marked.
 */
export interface RowMark<R> {
  subscribe: (onChange: () => void) => () => void;
  isMarked: (row: R) => boolean;
  /** Whether Tab reaches this row; the arrow keys reach the others. A table without marks is reached at every row. */
  isReachable: (row: R) => boolean;
}

export const sortName = (column: { id: string; sort?: string }): string => column.sort ?? column.id;
