import type { DeletionMode, DeletionOptions } from '@/lib/model/deletion';
import type { StoredItem } from '@/lib/store/deletion-items';
import { observedNow } from '@/lib/store/observed-clock';
import { awaitEnd, awaitReplicas } from './await-replicas';
import { drainInPlace } from './drain-in-place';
import { drainWithArchive, shedKey } from './drain-key';
import { endOfTime, finishItem } from './finish-item';
import { elementsOf, journalOf, saveItem } from './item-journal';
import { tombstoneOf } from './item-names';
import { reconcileItem } from './reconcile-item';
import { takeKey } from './take-key';
import type { Work } from './work';

/** One key, from wherever it stands to its end. Throws StopWork, NeedsPerson, TryLater or a WriteFailure. */
export async function removeItem(work: Work, item: StoredItem): Promise<void> {
  await reconcileItem(work, item);
  if (item.mode === 'in_place') return drainInPlace(work, item);
  if (item.state === 'planned' && !(await takeKey(work, item))) return;
  if (item.state === 'tombstoned') await awaitReplicas(work, [item]);
  if (item.mode === 'quarantine' && item.state === 'tombstoned') {
    const options = work.deletion.plan.options as DeletionOptions;
    const purgeAt = endOfTime(options.quarantineHours, await observedNow());
    await saveItem(work, item, {
      state: 'quarantined',
      undoUntil: purgeAt,
      journal: { ...journalOf(item), purgeAt },
    });
    work.meter.add(elementsOf(item), 1);
    return;
  }
  if (item.state === 'tombstoned' || item.state === 'draining')
    await emptyTombstone(work, item, item.mode ?? 'archive');
}

/** What is left to do with a key that is set aside. */
export async function emptyTombstone(work: Work, item: StoredItem, mode: DeletionMode): Promise<void> {
  const key = tombstoneOf(item);
  if (mode === 'archive') {
    if (!(await drainWithArchive(work, item, key))) return;
  } else if (mode === 'drain') await shedKey(work, item, key);
  else {
    const channel = await work.desks.at(item.slot).channel(item.db);
    await channel.call(['UNLINK', key]);
  }
  await awaitEnd(work, [item]);
  await finishItem(work, item, mode === 'archive');
}
