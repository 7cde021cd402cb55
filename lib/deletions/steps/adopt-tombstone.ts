import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import { describeChange } from '@/lib/deletions/journal/describe-change';
import { codedMessage, journalOf, saveItem } from '@/lib/deletions/journal/item-journal';
import { tombstoneOf } from '@/lib/deletions/journal/item-names';
import type { DeletionOptions } from '@/lib/model/deletions/plan-request';
import { readKeyFacts } from '@/lib/redis/write/read-key-facts';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';

/**
 * Takes up what carries our name although the journal does not say that the rename was carried out: a reply was lost,
 * or we were. Nothing has compared it with what was approved yet, so that is done first; what is not that key is
 * removed by nobody, and a person looks.
 */
export async function adoptTombstone(run: DeletionRun, item: StoredItem, recreated: boolean): Promise<void> {
  const { tolerancePercent } = run.deletion.plan.options as DeletionOptions;
  const channel = await run.executors.at(item.slot).channel(item.db);
  const look = await readKeyFacts(channel, tombstoneOf(item));
  if (look.type === null) {
    await saveItem(run, item, { state: 'vanished', reason: codedMessage('tombstone_gone'), endedAt: Date.now() });
    return;
  }
  const { type, encoding, length, bytes } = look;
  const journal = journalOf(item);
  // Cut off before its expiry was taken off, it still has it; else it is what was noted, at the latest by the plan.
  const noted = journal.expireAt === undefined ? item.facts.expireAt : journal.expireAt;
  const expireAt = look.expireAt ?? noted;
  const change = describeChange(item, look, tolerancePercent, tombstoneOf(item).length - item.name.length);
  // What is tombstoned must not expire under our hands, whoever it belongs to.
  await channel.call(['PERSIST', tombstoneOf(item)]);
  await saveItem(run, item, {
    state: change ? 'needs_review' : 'tombstoned',
    reason: change ?? (recreated ? codedMessage('recreated') : null),
    startedAt: item.startedAt ?? Date.now(),
    journal: { ...journal, intent: true, look: { type, encoding, length, bytes }, expireAt },
  });
}
