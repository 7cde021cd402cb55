import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import { saveItem } from '@/lib/deletions/journal/item-journal';
import type { DeletionOptions } from '@/lib/model/deletions/plan-request';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';
import { awaitReplicas } from './await-replicas';
import { reconcileItem } from './reconcile-item';
import { emptyTombstone } from './remove-item';

/** A key whose quarantine is over, by the way that the plan says follows. */
export async function purgeItem(run: DeletionRun, item: StoredItem): Promise<void> {
  const { afterQuarantine } = run.deletion.plan.options as DeletionOptions;
  if (item.state === 'quarantined')
    await saveItem(run, item, { state: 'tombstoned', undoUntil: null, mode: afterQuarantine });
  await reconcileItem(run, item);
  if (item.state !== 'tombstoned' && item.state !== 'draining') return;
  if (item.state === 'tombstoned') await awaitReplicas(run, [item]);
  await emptyTombstone(run, item, afterQuarantine);
}
