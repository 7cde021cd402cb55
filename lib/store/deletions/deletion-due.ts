import type { ItemState } from '@/lib/model/deletions/item-states';
import { ENDED_STATES } from '@/lib/model/job-states';
import { jsonNumber } from '@/lib/store/engines/dialect';
import { getDb, runTransaction } from '@/lib/store/open-store';
import { countItems, sumItems } from './deletion-counts';

const TOMBSTONED: ItemState[] = ['tombstoned', 'draining'];

/**
 * Ids of deletions with items whose quarantine is over, or whose purge has begun and not ended. It reads counters
 * first, not items.
 */
export async function findDueForPurge(now: number): Promise<string[]> {
  const db = await getDb(undefined);
  const over = await db
    .selectFrom('deletion_counts')
    .select('deletion_id')
    .distinct()
    .where('state', '=', 'quarantined')
    .where('undo_until', '>', 0)
    .where('undo_until', '<=', now)
    .where('keys', '>', 0)
    .execute();
  // Items are read only for deletions that have such items, not for all of a million rows.
  const begun = await db
    .selectFrom('deletions')
    .select('id')
    // After an interrupted purge some items may have been undone; the remaining ones are still due.
    .where('action', 'in', ['purge', 'undo'])
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('deletion_counts')
          .select('keys')
          .whereRef('deletion_counts.deletion_id', '=', 'deletions.id')
          .where('deletion_counts.state', 'in', TOMBSTONED)
          .where('keys', '>', 0),
      ),
    )
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('deletion_items')
          .select('seq')
          .whereRef('deletion_items.deletion_id', '=', 'deletions.id')
          .where('deletion_items.state', 'in', TOMBSTONED)
          // Only quarantined items have `purgeAt`. A tombstone that an interrupted deletion left is not purged.
          .where(jsonNumber(db, 'deletion_items.journal', 'purgeAt'), '<=', now),
      ),
    )
    .execute();
  return [...new Set([...over.map((row) => row.deletion_id), ...begun.map((row) => row.id)])];
}

/**
 * Finds ended deletions of which nothing can be undone any more and returns each once. It writes a summary into their
 * row, so that their items can be removed. A deletion whose undo was requested in time is not included until that job
 * ends.
 */
export async function expireUndo(now: number): Promise<string[]> {
  return runTransaction(async (tx) => {
    const rows = await tx
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
            selectFrom('deletion_counts')
              .select('keys')
              .whereRef('deletion_counts.deletion_id', '=', 'deletions.id')
              .where('keys', '>', 0)
              .where(({ or, eb }) =>
                or([
                  eb('deletion_counts.undo_until', '>', now),
                  eb('returns', '=', 1),
                  eb('deletion_counts.state', '=', 'draining'),
                ]),
              ),
          ),
        ),
      )
      .execute();
    for (const { id } of rows) {
      const { removed, archiveBytes } = await sumItems(id, now, tx);
      const summary = JSON.stringify({ at: Date.now(), counts: await countItems(id, tx), removed, archiveBytes });
      await tx.updateTable('deletions').set({ undo_until: null, summary }).where('id', '=', id).execute();
    }
    return rows.map((row) => row.id);
  });
}

/** Ids of deletions that have a summary and still have items. */
export async function findSummarized(): Promise<string[]> {
  const db = await getDb(undefined);
  const rows = await db
    .selectFrom('deletions')
    .innerJoin('deletion_counts', 'deletion_counts.deletion_id', 'deletions.id')
    .select('id')
    .distinct()
    .where('summary', 'is not', null)
    .where('keys', '>', 0)
    .execute();
  return rows.map(({ id }) => id);
}
