import { AppError } from '@/lib/model/errors';
import { factsOf } from '@/lib/reports/facts';
import { openRollup, type Rollup } from '@/lib/rollup/open-rollup';
import type { Source } from '@/lib/snapshots/query/with-source';

/** Share of keys that expire; null while nothing is known. Of the roll-up where there is one. */
export async function expiryShare(source: Source): Promise<number | null> {
  try {
    // Beside: an error there is not one of the keys.
    const beside = { ...source, query: source.queryBeside };
    const rollup = await openRollup(beside);
    return await shareOf(rollup === null ? source : beside, rollup);
  } catch (error) {
    // A damaged roll-up, or too many who ask, says nothing of the keys.
    if (!(error instanceof AppError)) throw error;
    return shareOf(source, null);
  }
}

async function shareOf(source: Source, rollup: Rollup | null): Promise<number | null> {
  const facts = factsOf({ ...source, rollup }, {});
  const [row] = await source.query<{ known: number; expiring: number }>(
    `SELECT ${facts.keys(`NOT (${facts.unknown})`)} AS known, ${facts.keys(facts.any)} AS expiring
     FROM ${facts.rows} ${facts.where.sql}`,
    facts.where.values,
  );
  return row && row.known > 0 ? row.expiring / row.known : null;
}
