import { queryKeys } from '@/components/data/query-keys';
import type { Deletion } from '@/lib/model/deletions/deletion';
import type { ItemState } from '@/lib/model/deletions/item-states';

/** Number of keys of a plan or deletion on one page of the list. */
export const ITEMS_PAGE = 50;

/**
 * Query key of the items of a deletion. `live`: they are requested again and again, under one key. Otherwise the state
 * of the job and the counts are part of the key: work can begin and end between two reads of the deletion.
 */
export function buildDeletionItemsKey(
  { plan, counts, job }: Pick<Deletion, 'plan' | 'counts' | 'job'>,
  query: { state?: ItemState | undefined; cursor?: string | undefined },
  live: boolean,
) {
  const version = live ? 'live' : `${job?.id} ${job?.state} ${JSON.stringify(counts)}`;
  return queryKeys.deletionItems(plan.id, { ...query, version });
}
