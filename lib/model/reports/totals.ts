import { toKnownBytes } from '../keys/known-bytes';
import type { ReportTable } from './table';

export interface Totals {
  keys: number;
  /** The sum over keys whose size is known. */
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

/** Builds the tables of each report in the order of `tableNames`; only the first is shown if it is empty. */
export type TablesOf<Reports> = { readonly [N in keyof Reports]: (report: Reports[N], asOf: number) => ReportTable[] };

/** The memory as a cell; unknown if the size of no key is known. */
export const toMemoryCell = (of: Totals | { keys: number; bytes: number }) => toKnownBytes(of);
export const toShareCell = (part: number, whole: number) => (whole === 0 ? null : part / whole);
export const toRangeCell = (from: string, to: string | null) => `${from} – ${to ?? '∞'}`;
