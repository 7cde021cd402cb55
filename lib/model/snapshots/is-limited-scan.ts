import type { ScanOptions } from './scan';

/** Whether the options limit a scan to a part of the keyspace. */
export const isLimitedScan = ({ databases, match }: Pick<ScanOptions, 'databases' | 'match'>): boolean =>
  databases !== null || (match ?? '') !== '';
