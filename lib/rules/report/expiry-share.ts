import { AppError } from '@/lib/model/errors';
import type { Source } from '@/lib/snapshots/query/with-source';
import { buildFacts } from '@/lib/snapshots/reports/facts';
import { openRollup, type Rollup } from '@/lib/snapshots/rollup/open-rollup';

/**
 * Share of keys that expire (0…1), among those whose expiry is known; null if it is known of none. Read from the
 * roll-up if there is one.
 */
export async function computeExpiryShare(source: Source): Promise<number | null> {
  try {
    // Use a second connection, so that an error in the roll-up does not affect the connection to the keys.
    const parallel = { ...source, query: source.queryInParallel };
    const rollup = await openRollup(parallel);
    return await readShare(rollup === null ? source : parallel, rollup);
  } catch (error) {
    // A damaged roll-up or too many concurrent queries do not affect the keys, so read these.
    if (!(error instanceof AppError)) throw error;
    return readShare(source, null);
  }
}

async function readShare(source: Source, rollup: Rollup | null): Promise<number | null> {
  const facts = buildFacts({ ...source, rollup }, {});
  const [row] = await source.query<{ known: number; expiring: number }>(
    `SELECT ${facts.keys(`NOT (${facts.unknown})`)} AS known, ${facts.keys(facts.any)} AS expiring
     FROM ${facts.rows} ${facts.where.sql}`,
    facts.where.values,
  );
  return row && row.known > 0 ? row.expiring / row.known : null;
}
