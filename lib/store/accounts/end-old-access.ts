import type { DeletionPlan } from '@/lib/model/deletions/deletion-plan';
import { hasChangedSince } from '@/lib/model/deletions/plan-changes';
import { getInstanceRow } from '@/lib/store/instances';
import type { Tx } from '@/lib/store/open-store';

/** Number of entries of each kind that were ended. */
export interface EndedAccess {
  sessions: number;
  links: number;
  tokens: number;
  approvals: number;
}

/**
 * Call it on a store that was restored from an older state. What was ended, used or withdrawn after that state would be
 * valid again, so all sessions, one-time links, sign-in attempts and approvals of plans are deleted, and API tokens too
 * if `tokens` is true.
 */
export async function endOldAccess({ tokens }: { tokens: boolean }, tx: Tx): Promise<EndedAccess> {
  const deleteRows = async (table: 'sessions' | 'one_time_links' | 'sign_in_attempts' | 'api_tokens') =>
    Number((await tx.deleteFrom(table).executeTakeFirst()).numDeletedRows);
  const sessions = await deleteRows('sessions');
  const links = await deleteRows('one_time_links');
  await deleteRows('sign_in_attempts');
  const plans = tx.updateTable('deletions').set({ approval: null }).where('state', '=', 'planned');
  const approvals = await plans.where('approval', 'is not', null).executeTakeFirst();
  const again = await endOpenApprovals(tx);
  return {
    sessions,
    links,
    tokens: tokens ? await deleteRows('api_tokens') : 0,
    approvals: Number(approvals.numUpdatedRows) + again,
  };
}

/**
 * Ends approvals of deletions that have begun and wait for another decision: because the server is another one, or
 * because their instance was marked since. Deletions that continued keep their approval as a record.
 */
async function endOpenApprovals(tx: Tx): Promise<number> {
  const rows = await tx
    .selectFrom('deletions')
    .select(['id', 'plan'])
    .where('state', '!=', 'planned')
    .where('approval', 'is not', null)
    .execute();
  let ended = 0;
  for (const { id, plan } of rows) {
    const parsed = JSON.parse(plan) as DeletionPlan;
    const instance = await getInstanceRow(parsed.instanceId, tx);
    if (!hasChangedSince(parsed, instance?.settings ?? { production: true })) continue;
    await tx.updateTable('deletions').set({ approval: null }).where('id', '=', id).execute();
    ended++;
  }
  return ended;
}
