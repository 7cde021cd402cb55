import type { Preparation } from '../snapshots/preparation';
import type { FrameworkReports } from './framework-report';
import type { KeyReports } from './key-reports';
import type { NameReports } from './name-reports';
import type { TimeReports } from './time-reports';
import type { ValueReports } from './value-reports';

export type * from './framework-report';
export type * from './key-reports';
export type * from './name-reports';
export type * from './time-reports';
export type * from './totals';
export type * from './value-reports';

/**
 * Every report is wrapped in an envelope that says whether the scan is still running (`live`) and how much it has read.
 */
export interface ReportEnvelope<T> {
  snapshotId: string;
  live: boolean;
  /** The time from which TTLs are counted, epoch ms: the end of the scan, or the present time while it is running. */
  asOf: number;
  keysInSnapshot: number;
  /** Absent if nothing is being prepared. */
  preparing?: Preparation;
  tookMs: number;
  report: T;
}

/**
 * The results of all reports. Bytes are MEMORY USAGE bytes, times epoch ms, shares 0…1; null = unknown. The shape of
 * each report is next to its tables, in the file of its kind.
 */
export interface ReportResults extends NameReports, FrameworkReports, KeyReports, TimeReports, ValueReports {}

export type ReportName = keyof ReportResults;
