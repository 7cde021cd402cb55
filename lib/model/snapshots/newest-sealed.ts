import type { SnapshotSummary } from '@/lib/model/reports/fleet';

/**
 * The snapshot that stands for an instance where none is named: the newest sealed one of the whole keyspace. Where none
 * is of the whole, the newest one of a part, for those who say so (`isPart`). `rows`: newest first.
 */
export function newestSealed<Row extends Pick<SnapshotSummary, 'state' | 'isPart'>>(rows: readonly Row[]): Row | null {
  const sealed = rows.filter(({ state }) => state === 'sealed');
  return sealed.find(({ isPart }) => !isPart) ?? sealed[0] ?? null;
}
