import type { DeletionPlan } from '@/lib/model/deletions/deletion-plan';
import { hasChangedSince } from '@/lib/model/deletions/plan-changes';
import { getInstanceRow } from '@/lib/store/instances';
import type { Tx } from '@/lib/store/open-store';

/** How many of each were ended. */
export interface EndedAccess {
  sessions: number;
  links: number;
  tokens: number;
  approvals: number;
}

/**
 * In a store that is older than what was done: what has been ended, used or withdrawn since would count again. So
 * nobody stays signed in (nor confirmed), no link opens, no attempt at a provider comes back, no plan is approved.
 */
export async function endOldAccess({ tokens }: { tokens: boolean }, tx: Tx): Promise<EndedAccess> {
  const gone = async (table: 'sessions' | 'one_time_links' | 'sign_in_attempts' | 'api_tokens') =>
    Number((await tx.deleteFrom(table).executeTakeFirst()).numDeletedRows);
  const sessions = await gone('sessions');
  const links = await gone('one_time_links');
  await gone('sign_in_attempts');
  const plans = tx.updateTable('deletions').set({ approval: null }).where('state', '=', 'planned');
  const approvals = await plans.where('approval', 'is not', null).executeTakeFirst();
  const again = await endOpenApprovals(tx);
  return {
    sessions,
    links,
    tokens: tokens ? await gone('api_tokens') : 0,
    approvals: Number(approvals.numUpdatedRows) + again,
  };
}

/**
 * Of deletions that were begun and wait for a decision anew: with another server, or since their instance has been
 * marked. Of those that went on it stays: it is the record.
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
