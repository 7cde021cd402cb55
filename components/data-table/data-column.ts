import type { ReactNode } from 'react';

/** What a cell may have to know of its row beside the record. */
interface RowState {
  /** Reached by Tab: of the row that the arrow keys are on. True where none of them is. */
  reachable: boolean;
}

/** One column of a table: what it says, what it sorts by, and where there is no room for it. */
export interface DataColumn<R> {
  id: string;
  header: string;
  /** The header is for screen readers only (a column of buttons). */
  quiet?: boolean;
  /** Explains the header. */
  hint?: string;
  /**
   * A row is drawn anew when its record, its state or the columns are others: what else a cell draws by must make other
   * columns.
   */
  cell: (row: R, state: RowState) => ReactNode;
  /** What the browser sorts by; null is unknown and comes last in either direction. Without it: not sortable. */
  value?: (row: R) => string | number | null | undefined;
  /** Name in the address and at the server where that is not the id. A table that the server sorts needs it. */
  sort?: string;
  /** Right-aligned figures, largest first. */
  num?: boolean;
  /** Begins with the largest though it is no figure: a moment. */
  descFirst?: boolean;
  /** Classes that leave the column out where it does not fit, e.g. `max-sm:hidden`; not once somebody has chosen it. */
  hide?: string;
  className?: string;
  /** Classes of the cells of one row. */
  classOf?: (row: R) => string | null;
  headClassName?: string;
  titleOf?: (row: R) => string | undefined;
  /** px, in tables of fixed layout; the column without it takes what is left. */
  width?: number;
  /** Always there: not in the column chooser. */
  fixed?: boolean;
  /** Rows open and close at this column. */
  expander?: boolean;
}

/** Sorting that somebody else remembers, e.g. the address. `bytes` ascending, `-bytes` descending, '' as it came. */
export interface TableOrder {
  sort: string;
  onSort: (sort: string) => void;
  /** The rows come sorted. */
  byServer?: boolean;
}

export interface TableExpansion<R> {
  open: ReadonlySet<string>;
  onToggle: (id: string, open: boolean) => void;
  canOpen: (row: R) => boolean;
  /** Id of a row → the rows in it, as far as they are known. Another map is another state. */
  rows: ReadonlyMap<string, readonly R[]>;
  /** Of the button: whose rows. */
  label: (row: R) => string;
}

export interface TableSelection<R> {
  /** Ids of rows, also of rows that are on no page now. */
  chosen: ReadonlySet<string>;
  /** Rows of this table that were ticked or unticked. */
  onToggle: (rows: readonly R[], on: boolean) => void;
  can?: (row: R) => boolean;
  label: (row: R) => string;
  labelAll: string;
}

/**
 * Which row is marked and which one Tab comes to, kept outside of what React draws: another one draws two rows anew,
 * not the table. Of a row that is one of two with the same answer both are.
 */
export interface RowMark<R> {
  subscribe: (onChange: () => void) => () => void;
  isMarked: (row: R) => boolean;
  /** The other rows are reached by what the table makes of the arrow keys. Without it Tab comes to all. */
  isReachable?: (row: R) => boolean;
}

export const sortName = (column: { id: string; sort?: string }): string => column.sort ?? column.id;
