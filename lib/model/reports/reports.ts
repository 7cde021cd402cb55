import type { Preparation } from '../snapshots/preparation';
import type { KeyReports } from './key-reports';
import type { NameReports } from './name-reports';
import type { TimeReports } from './time-reports';
import type { ValueReports } from './value-reports';

export type * from './key-reports';
export type * from './name-reports';
export type * from './time-reports';
export type * from './totals';
export type * from './value-reports';

/**
 * Every report comes in an envelope that says whether the scan still runs (`live`) and how much it has read.
 */
export interface ReportEnvelope<T> {
  snapshotId: string;
  live: boolean;
  /** End of the scan, or now while it runs: the moment TTLs are counted from. */
  asOf: number;
  keysInSnapshot: number;
  /** Absent when nothing is being prepared. */
  preparing?: Preparation;
  tookMs: number;
  report: T;
}

/**
 * What each report answers. Bytes are MEMORY USAGE bytes, times epoch ms, shares 0…1; null = unknown. The shape of a
 * report stands beside its tables, in the file of its kind.
 */
export interface ReportResults extends NameReports, KeyReports, TimeReports, ValueReports {}

export type ReportName = keyof ReportResults;
