import type { ReportName } from '@/lib/model/reports/reports';

/** Dimensions of cells. Each report lists those that it needs; keys of one path are distinguished by nothing else. */
export type CellDimension = 'node' | 'db' | 'type' | 'encoding' | 'ttl' | 'size' | 'idle' | 'big';
export type SplitTable = 'cells' | 'sizes' | 'moments';

export interface NeededBy {
  cells: readonly CellDimension[];
  /** True: the report needs only whether a key expires and whether it has expired, not the other classes of `ttl`. */
  state?: boolean;
  /** True: it needs the first name of each path. */
  names?: boolean;
  /** True: it needs percentiles of types. */
  sizes?: boolean;
  /** True: it needs the moments of expiry of paths. */
  moments?: boolean;
}

/** What each report needs. Reports that are not listed are about keys or slots, which cells do not contain. */
export const NEEDS: Partial<Record<ReportName, NeededBy>> = {
  overview: { cells: ['node', 'db', 'type', 'big'], state: true, names: true, sizes: true, moments: true },
  tree: { cells: ['type', 'big'], state: true, names: true, moments: true },
  patterns: { cells: ['type'], state: true, names: true, moments: true },
  ttl: { cells: ['ttl'], moments: true },
  types: { cells: ['type', 'encoding'], state: true, sizes: true },
  sizes: { cells: ['type', 'size'] },
  idle: { cells: ['encoding', 'idle'] },
};
