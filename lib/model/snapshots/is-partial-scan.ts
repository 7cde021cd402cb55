import type { ScanOptions } from './scan';

/** Whether a scan is asked to read a part of the keyspace alone. */
export const isPartialScan = ({ databases, match }: Pick<ScanOptions, 'databases' | 'match'>): boolean =>
  databases !== null || (match ?? '') !== '';
