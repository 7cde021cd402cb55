import type { ReportQuery } from '@/lib/model/reports/query';
import type { NeededBy } from './needs';

/** Temporary tables of one query, in the form of the roll-up's tables. */
export const SPLIT_TABLES = {
  cells: 'asked_cells',
  sizes: 'asked_sizes',
  moments: 'asked_moments',
  groups: 'asked_rows',
};

/** The keys that are read: those of some paths, in a range of classes of size (classes.ts), both ends included. */
export interface PartRead {
  paths: readonly { path: number; template: string }[];
  from: number;
  to: number;
}

export interface Split {
  query: ReportQuery;
  /** The query without its bounds of size and length. */
  base: ReportQuery;
  needs: NeededBy;
  part: PartRead;
}

/** SQL that is true for rows of the roll-up whose keys are read. */
export const isReadSql = ({ paths, from, to }: PartRead): string =>
  paths.length === 0
    ? 'false'
    : `path IN (${paths.map(({ path }) => path).join(', ')}) AND size BETWEEN ${from} AND ${to}`;
