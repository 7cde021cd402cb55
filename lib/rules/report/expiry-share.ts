import type { Source } from '@/lib/snapshots/query/with-source';
import { countSql, HAS_EXPIRY, HAS_UNKNOWN_EXPIRY, selectCells } from '@/lib/snapshots/reports/cells';
import { openRollup, type Rollup } from '@/lib/snapshots/rollup/open-rollup';
import { decide } from '@/lib/snapshots/rollup/scope';

/**
 * Share of keys that expire (0…1), among those whose expiry is known; null if it is known of none. Read from the
 * roll-up if there is one.
 */
export async function computeExpiryShare(source: Source): Promise<number | null> {
  try {
    return await readShare(source, await openRollup(source));
  } catch {
    // A damaged roll-up does not mean that the keys are damaged. If they are, reading them throws its own error.
    return readShare(source, null);
  }
}

async function readShare(source: Source, rollup: Rollup | null): Promise<number | null> {
  const { from, values } = selectCells({ ...source, rollup }, decide(rollup, 'overview', {}));
  const [row] = await source.query<{ known: number; expiring: number }>(
    `SELECT ${countSql(`NOT (${HAS_UNKNOWN_EXPIRY})`)} AS known, ${countSql(HAS_EXPIRY)} AS expiring FROM ${from}`,
    values,
  );
  return row && row.known > 0 ? row.expiring / row.known : null;
}
