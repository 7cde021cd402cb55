import { type RawBuilder, sql } from 'kysely';
import type { CodedMessage } from '@/lib/model/deletions/coded-message';
import type { ValueReadSettings } from '@/lib/model/value-reason';
import { jsonField } from '@/lib/store/engines/dialect';
import { getDb, type Tx } from '@/lib/store/open-store';
import { readObservedNow } from '@/lib/store/settings/observed-clock';
import { getStoredDeletion, type StoredDeletion } from './deletions';

/** Keys that are tombstoned, partly deleted, being restored or waiting for a review, or whose archive is still kept. */
const holdsSql = (now: number) => sql<boolean>`(deletion_counts.keys > 0 and (deletion_counts.returns = 1
  or deletion_counts.undo_until > ${now} or deletion_counts.state = 'draining'))`;

/**
 * Epoch ms to compare ends of undo with. Archives are kept by observed time and expiries use the wall clock, so the
 * earlier of both clocks is used and an undo ends at the later moment.
 */
export const holdClock = async (tx?: Tx): Promise<number> => Math.min(Date.now(), await readObservedNow(tx));

/** Deletions that are needed to restore keys of this instance, newest first, with the number of such keys. */
export async function findOpenDeletions(
  instanceId: string,
  now: number,
  tx?: Tx,
): Promise<{ id: string; keys: number }[]> {
  const db = await getDb(tx);
  const rows = await db
    .selectFrom('deletion_counts')
    .innerJoin('deletions', 'deletions.id', 'deletion_counts.deletion_id')
    .select(({ fn }) => ['deletions.id', fn.sum<number>('keys').as('keys')])
    .where('deletions.instance_id', '=', instanceId)
    .where(jsonField(db, 'deletions.plan', 'givenUp'), 'is', null)
    .where(holdsSql(now))
    .groupBy('deletions.id')
    .orderBy('deletions.created_at', 'desc')
    .execute();
  return rows.map(({ id, keys }) => ({ id, keys }));
}

/** The deletions that are needed to restore keys of instances that are no longer registered. */
export const findStrandedDeletions = (now: number, tx: Tx): Promise<StoredDeletion[]> =>
  findHeldDeletions(now, sql<boolean>`deletions.instance_id not in (select id from instances)`, tx);

/** Such deletions that an instance at another address has claimed, with no more proof than what its server reports. */
export const findClaimedDeletions = (now: number, tx: Tx): Promise<StoredDeletion[]> =>
  findHeldDeletions(now, sql<boolean>`${jsonField(tx, 'deletions.plan', 'claimedElsewhere')} is not null`, tx);

async function findHeldDeletions(now: number, where: RawBuilder<boolean>, tx: Tx): Promise<StoredDeletion[]> {
  const rows = await tx
    .selectFrom('deletion_counts')
    .innerJoin('deletions', 'deletions.id', 'deletion_counts.deletion_id')
    .select('deletions.id')
    .distinct()
    .where(holdsSql(now))
    .where(where)
    .execute();
  const found = await Promise.all(rows.map(({ id }) => getStoredDeletion(id, tx)));
  return found.filter((one) => one !== null);
}

/**
 * Assigns deletions to another instance: the same server, registered again. `elsewhere` = it was registered at another
 * address.
 */
export async function moveDeletions(
  ids: readonly string[],
  to: { id: string; name: string; elsewhere: boolean },
  tx: Tx,
): Promise<void> {
  for (const id of ids) {
    const row = await tx.selectFrom('deletions').select('plan').where('id', '=', id).executeTakeFirst();
    if (!row) continue;
    // The server is registered again, so it is no longer given up.
    const { givenUp: _, claimedElsewhere: __, ...plan } = JSON.parse(row.plan);
    const mark = to.elsewhere ? { claimedElsewhere: true } : {};
    const moved = JSON.stringify({ ...plan, ...mark, instanceId: to.id, instanceName: to.name });
    await tx.updateTable('deletions').set({ instance_id: to.id, plan: moved }).where('id', '=', id).execute();
  }
}

/**
 * Call it before an instance is removed: its archives keep the restrictions that the instance has now, even if another
 * instance takes them over. Only plans with fewer restrictions are written.
 */
export async function keepValueReadSettings(instanceId: string, now: ValueReadSettings, tx: Tx): Promise<void> {
  if (!now.production && !now.valuesForbidden) return;
  const rows = await tx
    .selectFrom('deletions')
    .select(['id', 'plan'])
    .where('instance_id', '=', instanceId)
    .where('state', '!=', 'planned')
    .execute();
  for (const row of rows) {
    const plan = JSON.parse(row.plan);
    const values: ValueReadSettings = {
      production: now.production || plan.values.production,
      valuesForbidden: now.valuesForbidden || plan.values.valuesForbidden,
    };
    await tx
      .updateTable('deletions')
      .set({ plan: JSON.stringify({ ...plan, values }) })
      .where('id', '=', row.id)
      .execute();
  }
}

const AT_ONCE = 2_000;
/**
 * Appends a field to the end of the JSON text, which works in both databases. If a field occurs twice, a reader takes
 * the last one.
 */
const WITH_STATE = sql`case when coalesce(journal, '{}') = '{}' then '{' else substr(journal, 1, length(journal) - 1) || ',' end
  || '"gaveUp":"' || state || '"}'`;

/**
 * Ends up to `AT_ONCE` items of a deletion that have begun and not ended; their journals record their last state.
 * Returns the number of items; 0 = none is left.
 */
export async function giveUpItems(
  deletionId: string,
  { reason, endedAt, undoUntil }: { reason: CodedMessage; endedAt: number; undoUntil: number },
): Promise<number> {
  const db = await getDb(undefined);
  const { numAffectedRows } = await sql`update deletion_items set
      journal = ${WITH_STATE}, state = 'given_up',
      reason = ${JSON.stringify(reason)}, ended_at = ${endedAt}, undo_until = ${undoUntil}
    where deletion_id = ${deletionId} and seq in (select seq from deletion_items where deletion_id = ${deletionId}
      and (state in ('tombstoned', 'quarantined', 'draining', 'restoring', 'needs_review')
        or (state = 'planned' and journal is not null)) limit ${AT_ONCE})`.execute(db);
  return Number(numAffectedRows ?? 0);
}
