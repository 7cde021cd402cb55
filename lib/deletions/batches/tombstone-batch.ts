import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import {
  clearDeadlineOnRefusal,
  createCodedMessage,
  getJournal,
  noteItem,
  saveItems,
} from '@/lib/deletions/journal/item-journal';
import { buildTombstoneName } from '@/lib/deletions/journal/item-names';
import { computeMaxBytes } from '@/lib/deletions/journal/size-limits';
import { decideTombstone } from '@/lib/deletions/steps/decide-tombstone';
import type { DeletionOptions } from '@/lib/model/deletions/plan-request';
import { compareAndRenameAll } from '@/lib/redis/write/compare-and-rename';
import { readFactsOfKeys } from '@/lib/redis/write/read-key-facts';
import { haveScriptsDeadlines, IN_TIME_MS } from '@/lib/redis/write/server-time';
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
  executor: { address: string; node: { runId: string | null; version: string | null } },
): Promise<StoredItem[]> {
  const options = run.deletion.plan.options as DeletionOptions;
  const { tolerancePercent } = options;
  const looks = await readFactsOfKeys(
    channel,
    items.map((item) => item.name),
  );
  const wanted: { item: StoredItem; look: KeyFacts & { type: string }; deadline: number }[] = [];
  const writes: Parameters<typeof saveItems>[1] = [];
  items.forEach((item, index) => {
    const look = looks[index];
    if (!look) return;
    const decision = decideTombstone(item, look, options);
    if (!decision.tombstone)
      writes.push({ item, patch: { state: decision.state, reason: decision.reason, endedAt: Date.now() } });
    else if ((look.bytes ?? 0) > 4 * SMALL_BYTES)
      writes.push({ item, patch: { facts: { ...item.facts, bytes: look.bytes } } });
    else {
      if (look.at === null) throw scriptDenied();
      const deadline = look.at + IN_TIME_MS;
      wanted.push({ item, look: decision.facts, deadline });
      const { type, encoding, length, bytes, expireAt } = decision.facts;
      const journal = {
        intent: true,
        deadline,
        ...(!haveScriptsDeadlines(executor.node.version) && { unguarded: true }),
        address: executor.address,
        runId: executor.node.runId,
        look: { type, encoding, length, bytes },
        expireAt,
      };
      writes.push({ item, patch: { startedAt: Date.now(), journal } });
    }
  });
  await saveItems(run, writes);
  if (wanted.length === 0) return [];
  const away = wanted.map(({ item, look, deadline }) => ({
    name: item.name,
    tombstone: buildTombstoneName(item),
    type: look.type,
    length: look.length,
    tolerancePercent,
    maxBytes: computeMaxBytes(item, look, tolerancePercent),
    deadline,
  }));
  const begun = wanted.map(({ item }) => item);
  const renamed = await clearDeadlineOnRefusal(run, begun, () => compareAndRenameAll(channel, away));
  const taken: StoredItem[] = [];
  const after: Parameters<typeof saveItems>[1] = [];
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
