import { orderOf } from '@/lib/key-query/keyset';
import { AppError } from '@/lib/model/errors';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { ReportName } from '@/lib/model/reports/reports';
import { openRollup } from '@/lib/rollup/open-rollup';
import { rollupScope } from '@/lib/rollup/scope';
import { type Limits, laneOf, QUERY_TIMEOUT_MS } from '@/lib/snapshots/query/duckdb';
import type { Lane } from '@/lib/snapshots/query/lanes';
import { type SnapshotRef, withSource } from '@/lib/snapshots/query/with-source';

/** From here on a pass over the keys takes seconds, and several at once more memory than there is for questions. */
const LARGE_KEYS = 20_000_000;

export const isLarge = ({ manifest }: SnapshotRef): boolean => manifest.keys > LARGE_KEYS;

/**
 * Where a question waits for its turn. What the roll-up answers is quick however many keys there are, and so is never
 * behind what only the keys can answer.
 */
export async function laneOfQuestion(
  ref: SnapshotRef,
  name: ReportName,
  query: ReportQuery,
  limits: Limits,
): Promise<Lane> {
  const usual = laneOf({ timeoutMs: QUERY_TIMEOUT_MS, ...limits });
  if (usual !== 'ask' || !isLarge(ref)) return usual;
  // The rows themselves, which no sum has: in another order than they lie in, all of them are compared.
  if (name === 'keys' && orderOf(query.sort, 'name').sort !== 'name') return 'heavy';
  try {
    const rollup = await withSource(ref, openRollup, limits);
    return rollupScope(rollup, 'cells', query) === null ? 'heavy' : usual;
  } catch (error) {
    // Of a damaged roll-up: the keys will be asked.
    if (error instanceof AppError && error.code === 'snapshot_unreadable') return 'heavy';
    throw error;
  }
}
