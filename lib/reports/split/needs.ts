import type { ReportName } from '@/lib/model/reports/reports';

/** What each report asks of the tables of the roll-up: nothing else distinguishes keys of one path. */
export type CellDimension = 'node' | 'db' | 'type' | 'encoding' | 'ttl' | 'size' | 'idle' | 'big';
export type SplitTable = 'cells' | 'sizes' | 'moments';

export interface NeededBy {
  cells: readonly CellDimension[];
  /** Whether a key expires, and whether that is over: of the classes `ttl` no more than that. */
  state?: boolean;
  /** The first name of each path. */
  names?: boolean;
  /** Percentiles of types. */
  sizes?: boolean;
  /** Moments of paths. */
  moments?: boolean;
}

/** The others tell of keys, or of slots, which cells do not hold. */
export const NEEDS: Partial<Record<ReportName, NeededBy>> = {
  overview: { cells: ['node', 'db', 'type', 'big'], state: true, names: true, sizes: true, moments: true },
  tree: { cells: ['type', 'big'], state: true, names: true, moments: true },
  patterns: { cells: ['type'], state: true, names: true, moments: true },
  ttl: { cells: ['ttl'], moments: true },
  types: { cells: ['type', 'encoding'], state: true, sizes: true },
  sizes: { cells: ['type', 'size'] },
  idle: { cells: ['encoding', 'idle'] },
};
