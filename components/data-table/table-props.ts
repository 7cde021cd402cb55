import type { ComponentProps, ReactNode } from 'react';
import type { RowMark } from './data-column';
import type { DataTableOptions } from './use-data-table';
import type { NamedGroup } from './use-lines';

export interface DataTableProps<R extends object> extends DataTableOptions<R> {
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
}
