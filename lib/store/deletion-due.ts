import { sql } from 'kysely';
import { ENDED_STATES } from '@/lib/model/job';
import { dbOf, type Tx } from './open-store';

/** Only what was quarantined has one; what a removal set aside and left is nobody's to purge. */
const PURGE_AT = sql<number | null>`json_extract(deletion_items.journal, '$.purgeAt')`;

/** Deletions with items whose quarantine is over, or whose purge was begun and not ended. */
export async function dueForPurge(now: number, tx?: Tx): Promise<string[]> {
  const db = await dbOf(tx);
  const rows = await db
    .selectFrom('deletion_items')
    .innerJoin('deletions', 'deletions.id', 'deletion_items.deletion_id')
    .select('deletion_id')
    .distinct()
    .where(({ or, and, eb }) =>
      or([
        and([eb('deletion_items.state', '=', 'quarantined'), eb('deletion_items.undo_until', '<=', now)]),
        and([
          eb('deletion_items.state', 'in', ['tombstoned', 'draining']),
          eb('deletions.action', '=', 'purge'),
          eb(PURGE_AT, '<=', now),
        ]),
      ]),
    )
    .execute();
  return rows.map((row) => row.deletion_id);
}

/**
 * Ended deletions of which nothing can be undone any more, named once: their time is taken away, so that the next asks
 * find others. An undo that was asked for in time is waited for, however long it takes.
 */
export async function expireUndo(now: number, tx?: Tx): Promise<string[]> {
  const db = await dbOf(tx);
  const rows = await db
    .selectFrom('deletions')
    .select('id')
    .where('undo_until', '<=', now)
    .where('state', 'in', ['done', 'cancelled'])
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('jobs')
            .select('jobs.id')
            .whereRef('jobs.id', '=', 'deletions.job_id')
            .where('jobs.state', 'not in', [...ENDED_STATES]),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('deletion_items')
            .select('seq')
            .whereRef('deletion_items.deletion_id', '=', 'deletions.id')
            .where(({ or, eb }) =>
              or([
                eb('undo_until', '>', now),
                eb('deletion_items.state', 'in', [
                  'tombstoned',
                  'draining',
                  'quarantined',
                  'restoring',
                  'needs_review',
                ]),
              ]),
            ),
        ),
      ),
    )
    .execute();
  const ids = rows.map((row) => row.id);
  if (ids.length > 0) {
    await db.updateTable('deletions').set({ undo_until: null }).where('id', 'in', ids).execute();
    await db.updateTable('deletion_items').set({ undo_until: null }).where('deletion_id', 'in', ids).execute();
  }
  return ids;
}
