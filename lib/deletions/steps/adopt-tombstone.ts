import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import { describeChange } from '@/lib/deletions/journal/describe-change';
import { buildTombstoneName } from '@/lib/deletions/journal/item-names';
import { createCodedMessage, endItem, getJournal, saveItem } from '@/lib/deletions/journal/write-journal';
import type { DeletionOptions } from '@/lib/model/deletions/plan-request';
import { readKeyFacts } from '@/lib/redis/write/read-key-facts';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';

/**
 * Takes over a key that has the name of the tombstone although the journal does not record the rename: the reply was
 * lost, or this process stopped. It has not been compared with what was approved yet, so that is done first; a
 * different key is not deleted, and a person decides. `isRecreated`: whether a key has the original name too.
 */
export async function adoptTombstone(
  run: DeletionRun,
  item: StoredItem,
  { isRecreated }: { isRecreated: boolean },
): Promise<void> {
  const { tolerancePercent } = run.deletion.plan.options as DeletionOptions;
  const channel = await run.executors.getForSlot(item.slot).openPaced(item.db);
  const current = await readKeyFacts(channel, buildTombstoneName(item));
  if (current.type === null) {
    await endItem(run, item, 'vanished', createCodedMessage('tombstone_gone'));
    return;
  }
  const { type, encoding, length, bytes } = current;
  const journal = getJournal(item);
  // If the rename was interrupted before its PERSIST, the key still has its expiry; otherwise the noted one counts, or
  // the one from the plan.
  const recordedExpireAt = journal.expireAt === undefined ? item.facts.expireAt : journal.expireAt;
  const expireAt = current.expireAt ?? recordedExpireAt;
  const change = describeChange(item, current, tolerancePercent, buildTombstoneName(item).length - item.name.length);
  // A tombstone must not expire during the work, whichever key it is.
  await channel.call(['PERSIST', buildTombstoneName(item)]);
  await saveItem(run, item, {
    state: change ? 'needs_review' : 'tombstoned',
    reason: change ?? (isRecreated ? createCodedMessage('recreated') : null),
    startedAt: item.startedAt ?? Date.now(),
    journal: { ...journal, intent: true, look: { type, encoding, length, bytes }, expireAt },
  });
}
