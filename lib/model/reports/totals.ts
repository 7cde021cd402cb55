import { knownBytes } from '../keys/known-bytes';
import type { ReportTable } from './table';

export interface Totals {
  keys: number;
  /** Sum over keys whose size is known. */
  bytes: number;
  bytesUnknown: number;
}

export interface TypeShare extends Totals {
  type: string | null;
  avgBytes: number | null;
  p50Bytes: number | null;
  p99Bytes: number | null;
  maxBytes: number | null;
  withExpiry: number;
}

/** Of a report, its tables in the order of `tableNames`; only the first is shown when empty. */
export type TablesOf<Reports> = { readonly [N in keyof Reports]: (report: Reports[N], asOf: number) => ReportTable[] };

/** Unknown where the size of no key is. */
export const memoryCell = (of: Totals | { keys: number; bytes: number }) => knownBytes(of);
export const shareCell = (part: number, whole: number) => (whole === 0 ? null : part / whole);
export const rangeCell = (from: string, to: string | null) => `${from} – ${to ?? '∞'}`;
