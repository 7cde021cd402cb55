import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import type { NodeExecutor } from '@/lib/deletions/executor/node-executor';
import {
  clearDeadlineOnRefusal,
  createCodedMessage,
  getJournal,
  type ItemWrite,
  noteItem,
  saveItems,
} from '@/lib/deletions/journal/write-journal';
import { decideTombstone } from '@/lib/deletions/steps/decide-tombstone';
import { buildRenameJournal, buildRenameRequest } from '@/lib/deletions/steps/tombstone-key';
import type { DeletionOptions } from '@/lib/model/deletions/plan-request';
import { compareAndRenameAll } from '@/lib/redis/write/compare-and-rename';
import { readFactsOfKeys } from '@/lib/redis/write/read-key-facts';
import { IN_TIME_MS } from '@/lib/redis/write/server-time';
import type { KeyFacts, WritingChannel } from '@/lib/redis/write/types';
import { scriptDenied } from '@/lib/redis/write/write-failure';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';
import { MAX_SMALL_BYTES } from './small-key';

/**
 * Compares and renames small keys, each on its own. Returns the items whose keys have the name of the tombstone now.
 */
export async function tombstoneBatch(
  run: DeletionRun,
  items: StoredItem[],
  channel: WritingChannel,
  executor: NodeExecutor,
): Promise<StoredItem[]> {
  const options = run.deletion.plan.options as DeletionOptions;
  const currentFacts = await readFactsOfKeys(
    channel,
    items.map((item) => item.name),
  );
  const renames: { item: StoredItem; current: KeyFacts & { type: string }; deadline: number }[] = [];
  const writes: ItemWrite[] = [];
  items.forEach((item, index) => {
    const current = currentFacts[index];
    if (!current) return;
    const decision = decideTombstone(item, current, options);
    if (!decision.mayTombstone)
      writes.push({ item, patch: { state: decision.state, reason: decision.reason, endedAt: Date.now() } });
    // A key that has become large is handled on its own later.
    else if ((current.bytes ?? 0) > 4 * MAX_SMALL_BYTES)
      writes.push({ item, patch: { facts: { ...item.facts, bytes: current.bytes } } });
    else {
      if (current.at === null) throw scriptDenied();
      const deadline = current.at + IN_TIME_MS;
      renames.push({ item, current: decision.facts, deadline });
      const journal = buildRenameJournal(executor, decision.facts, deadline);
      writes.push({ item, patch: { startedAt: Date.now(), journal } });
    }
  });
  await saveItems(run, writes);
  if (renames.length === 0) return [];
  const requests = renames.map(({ item, current, deadline }) =>
    buildRenameRequest(item, current, options.tolerancePercent, deadline),
  );
  const itemsToRename = renames.map(({ item }) => item);
  const results = await clearDeadlineOnRefusal(run, itemsToRename, () => compareAndRenameAll(channel, requests));
  const tombstoned: StoredItem[] = [];
  const writesAfter: ItemWrite[] = [];
  renames.forEach(({ item, current }, index) => {
    const outcome = results[index]?.outcome;
    if (outcome === 'renamed') {
      const { type, encoding, bytes } = current;
      // The length at the rename counts: the application may have written since the facts were read.
      const length = results[index]?.length ?? current.length;
      const expireAt = results[index]?.expireAt ?? null;
      const journal = { ...getJournal(item), look: { type, encoding, length, bytes }, expireAt };
      // This is written with the next step; until then the names on the server show it.
      noteItem(item, { state: 'tombstoned', journal });
      tombstoned.push(item);
    } else if (outcome === 'taken' || outcome === 'late') {
      // If a key has the name of the tombstone already, it was compared with nothing; if the server was too slow, the
      // rename was not carried out. Both are handled one by one later, and read again first.
      writesAfter.push({ item, patch: { journal: null } });
    } else {
      const hasChanged = outcome === 'changed';
      const reason = createCodedMessage(hasChanged ? 'changed_meanwhile' : 'gone_before');
      writesAfter.push({
        item,
        patch: { state: hasChanged ? 'aborted' : 'vanished', reason, journal: null, endedAt: Date.now() },
      });
    }
  });
  await saveItems(run, writesAfter);
  return tombstoned;
}
