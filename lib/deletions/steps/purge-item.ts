import type { Work } from '@/lib/deletions/executor/deletion-run';
import { saveItem } from '@/lib/deletions/journal/item-journal';
import type { DeletionOptions } from '@/lib/model/deletion';
import type { StoredItem } from '@/lib/store/deletion-items';
import { awaitReplicas } from './await-replicas';
import { reconcileItem } from './reconcile-item';
import { emptyTombstone } from './remove-item';

/** A key whose quarantine is over, by the way that the plan says follows. */
export async function purgeItem(work: Work, item: StoredItem): Promise<void> {
  const { afterQuarantine } = work.deletion.plan.options as DeletionOptions;
  if (item.state === 'quarantined')
    await saveItem(work, item, { state: 'tombstoned', undoUntil: null, mode: afterQuarantine });
  await reconcileItem(work, item);
  if (item.state !== 'tombstoned' && item.state !== 'draining') return;
  if (item.state === 'tombstoned') await awaitReplicas(work, [item]);
  await emptyTombstone(work, item, afterQuarantine);
}
