import type { SentTo } from '@/app/api/routes';
import type { Deletion } from '@/lib/model/deletions/deletion';
import type { ItemState } from '@/lib/model/deletions/item-states';

/** Number of keys of a plan or deletion on one page of the list. */
export const ITEMS_PAGE = 50;

/**
 * Returns the request for a page of the items of a deletion, and how its query key ends. `live`: they are requested
 * again and again, under one key. Otherwise the state of the job and the counts are part of the key: work can begin and
 * end between two reads of the deletion.
 */
export function buildItemsQuery(
  { plan, counts, job }: Pick<Deletion, 'plan' | 'counts' | 'job'>,
  query: { state?: ItemState | undefined; cursor?: string | undefined },
  live: boolean,
): { sent: SentTo<'GET /api/deletions/{id}/items'>; version: string } {
  const version = live ? 'live' : `${job?.id} ${job?.state} ${JSON.stringify(counts)}`;
  return { sent: { id: plan.id, query: { ...query, limit: ITEMS_PAGE } }, version };
}
