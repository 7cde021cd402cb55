import { AppError } from '@/lib/model/errors';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { ReportName } from '@/lib/model/reports/reports';
import { parseOrder } from '@/lib/snapshots/key-query/keyset';
import { chooseDefaultLane, type Limits, QUERY_TIMEOUT_MS } from '@/lib/snapshots/query/duckdb';
import type { Lane } from '@/lib/snapshots/query/lanes';
import { type SnapshotRef, withSource } from '@/lib/snapshots/query/with-source';
import { openRollup } from '@/lib/snapshots/rollup/open-rollup';
import { findRollupScope } from '@/lib/snapshots/rollup/scope';

/** Above this number a pass over the keys takes seconds, and several at once need more memory than queries may use. */
const LARGE_KEYS = 20_000_000;

export const isLarge = ({ manifest }: SnapshotRef): boolean => manifest.keys > LARGE_KEYS;

/**
 * Returns the lane in which a query waits for its turn. Queries that the roll-up answers are fast however many keys
 * there are, so they never wait for queries that only the keys can answer.
 */
export async function chooseLane(
  ref: SnapshotRef,
  name: ReportName,
  query: ReportQuery,
  limits: Limits,
): Promise<Lane> {
  const usual = chooseDefaultLane({ timeoutMs: QUERY_TIMEOUT_MS, ...limits });
  if (usual !== 'ask' || !isLarge(ref)) return usual;
  // The list of keys reads rows, which no sum contains. In any order but that of the file all rows are compared.
  if (name === 'keys' && parseOrder(query.sort, 'name').sort !== 'name') return 'heavy';
  try {
    const rollup = await withSource(ref, openRollup, limits);
    return findRollupScope(rollup, 'cells', query) === null ? 'heavy' : usual;
  } catch (error) {
    // The roll-up is damaged, so the keys will be read.
    if (error instanceof AppError && error.code === 'snapshot_unreadable') return 'heavy';
    throw error;
  }
}
