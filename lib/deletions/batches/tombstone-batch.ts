import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import type { NodeExecutor } from '@/lib/deletions/executor/node-executor';
import {
  clearDeadlineOnRefusal,
  createCodedMessage,
  getJournal,
  type ItemWrite,
  noteItem,
  saveItems,
} from '@/lib/deletions/journal/item-journal';
import { decideTombstone } from '@/lib/deletions/steps/decide-tombstone';
import { buildRenameJournal, buildRenameRequest } from '@/lib/deletions/steps/tombstone-key';
import type { DeletionOptions } from '@/lib/model/deletions/plan-request';
import { compareAndRenameAll } from '@/lib/redis/write/compare-and-rename';
import { readFactsOfKeys } from '@/lib/redis/write/read-key-facts';
import { IN_TIME_MS } from '@/lib/redis/write/server-time';
import type { KeyFacts, WritingChannel } from '@/lib/redis/write/types';
import { scriptDenied } from '@/lib/redis/write/write-failure';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';
import { SMALL_BYTES } from './small-key';

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
  const looks = await readFactsOfKeys(
    channel,
    items.map((item) => item.name),
  );
  const wanted: { item: StoredItem; look: KeyFacts & { type: string }; deadline: number }[] = [];
  const writes: ItemWrite[] = [];
  items.forEach((item, index) => {
    const look = looks[index];
    if (!look) return;
    const decision = decideTombstone(item, look, options);
    if (!decision.tombstone)
      writes.push({ item, patch: { state: decision.state, reason: decision.reason, endedAt: Date.now() } });
    // A key that has become large is handled on its own later.
    else if ((look.bytes ?? 0) > 4 * SMALL_BYTES)
      writes.push({ item, patch: { facts: { ...item.facts, bytes: look.bytes } } });
    else {
      if (look.at === null) throw scriptDenied();
      const deadline = look.at + IN_TIME_MS;
      wanted.push({ item, look: decision.facts, deadline });
      const journal = buildRenameJournal(executor, decision.facts, deadline);
      writes.push({ item, patch: { startedAt: Date.now(), journal } });
    }
  });
  await saveItems(run, writes);
  if (wanted.length === 0) return [];
  const requests = wanted.map(({ item, look, deadline }) =>
    buildRenameRequest(item, look, options.tolerancePercent, deadline),
  );
  const begun = wanted.map(({ item }) => item);
  const renamed = await clearDeadlineOnRefusal(run, begun, () => compareAndRenameAll(channel, requests));
  const taken: StoredItem[] = [];
  const after: ItemWrite[] = [];
  wanted.forEach(({ item, look }, index) => {
    const outcome = renamed[index]?.outcome;
    if (outcome === 'renamed') {
      const { type, encoding, bytes } = look;
      // The length at the rename counts: the application may have written since the facts were read.
      const length = renamed[index]?.length ?? look.length;
      const expireAt = renamed[index]?.expireAt ?? null;
      const journal = { ...getJournal(item), look: { type, encoding, length, bytes }, expireAt };
      // This is written with the next step; until then the names on the server show it.
      noteItem(item, { state: 'tombstoned', journal });
      taken.push(item);
    } else if (outcome === 'taken' || outcome === 'late') {
      // If a key has the name of the tombstone already, it was compared with nothing; if the server was too slow, the
      // rename was not carried out. Both are handled one by one later, and read again first.
      after.push({ item, patch: { journal: null } });
    } else {
      const changed = outcome === 'changed';
      const reason = createCodedMessage(changed ? 'changed_meanwhile' : 'gone_before');
      after.push({
        item,
        patch: { state: changed ? 'aborted' : 'vanished', reason, journal: null, endedAt: Date.now() },
      });
    }
  });
  await saveItems(run, after);
  return taken;
}
