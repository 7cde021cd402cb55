import type { ComponentProps, ReactNode, Ref } from 'react';
import type { RowMark } from './data-column';
import type { DataTableOptions } from './use-data-table';
import type { NamedGroup } from './use-lines';

export interface DataTableProps<R extends object> extends DataTableOptions<R> {
  label: string;
  /** Class of the scrolling region. If it sets a height, the header stays visible. */
  className?: string;
  tableClassName?: string;
  scrollRef?: Ref<HTMLElement>;
  /** The rows are one page of a longer list: index of the first row in the list, and number of rows of the list. */
  page?: { first: number; total: number };
  bodyProps?: ComponentProps<'tbody'>;
  /** Props of a row. Passing another function renders every row again. */
  rowProps?: (row: R) => ComponentProps<'tr'>;
  mark?: RowMark<R>;
  /** A line below the row over the whole width of the table. */
  note?: (row: R) => ReactNode;
  /**
   * Returns the id of a row that is rendered at any scroll position: the row that has the keyboard focus. null: none.
   */
  kept?: () => string | null;
  /** Rows of one group are listed together below the group's name. Groups are sorted by name, '' last. */
  getGroup?: (row: R) => NamedGroup;
  /**
   * Only this many rows are shown until a button below them shows the others: a list that is one of several on its page
   * is then short, without scrolling by itself.
   */
  first?: number;
  /** Shown if there are no rows. */
  empty?: ReactNode;
}
