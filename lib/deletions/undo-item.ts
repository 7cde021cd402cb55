import { renameBack, whereIs } from '@/lib/redis/rename-away';
import { restoreName } from '@/lib/redis/trash-name';
import type { StoredItem } from '@/lib/store/deletion-items';
import { archiveRest } from './drain-key';
import { journalOf, saveItem, told } from './item-journal';
import { rebuildKey, type UndoWish } from './rebuild-key';
import { tombstoneOf } from './take-key';
import type { Work } from './work';

/**
 * Brings one key back under its name: by renaming where nothing was removed yet, else from its archive under a name of
 * ours that is renamed when it is whole. A key that the application has made anew is never overwritten.
 */
export async function undoItem(work: Work, item: StoredItem, wish: UndoWish): Promise<void> {
  const journal = journalOf(item);
  if (item.state === 'restoring' && (await settleRename(work, item))) return;
  const before = item.state === 'restoring' ? (journal.before ?? 'done') : item.state;
  if (before === 'done' || (before === 'draining' && item.removed + item.archived > 0)) {
    if (!journal.archives?.length) return refuse(work, item, before, 'no_copy');
    await saveItem(work, item, { state: 'restoring', reason: null, journal: { ...journal, before } });
    if (before === 'draining' && !journalOf(item).archived) {
      await archiveRest(work, item, tombstoneOf(item));
      for (const file of journalOf(item).archives ?? []) work.archives.forget(file);
    }
    const refusal = await rebuildKey(work, item, wish);
    if (refusal) return refuse(work, item, before, refusal);
    if (before === 'draining') {
      const channel = await work.desks.at(item.slot).channel(item.db);
      await channel.call(['UNLINK', tombstoneOf(item)]);
    }
    return undone(work, item);
  }
  if (before === 'planned' && !journal.intent) return;
  await renameHome(work, item, before, wish);
}

async function renameHome(work: Work, item: StoredItem, before: StoredItem['state'], wish: UndoWish): Promise<void> {
  const { expireAt = null } = journalOf(item);
  if (expireAt !== null && expireAt <= Date.now() && !wish.restoreExpired)
    return refuse(work, item, before, 'expired_meanwhile');
  const channel = await work.desks.at(item.slot).channel(item.db);
  await saveItem(work, item, { state: 'restoring', journal: { ...journalOf(item), before, renaming: true } });
  const kept = expireAt !== null && expireAt > Date.now() ? expireAt : null;
  const outcome = await renameBack(channel, { tombstone: tombstoneOf(item), name: item.name, expireAt: kept });
  if (outcome === 'renamed') return undone(work, item);
  await refuse(work, item, before, outcome === 'recreated' ? 'recreated' : 'tombstone_gone');
}

/** The last rename was on its way when we were cut off: with our name gone and the other there, it happened. */
async function settleRename(work: Work, item: StoredItem): Promise<boolean> {
  const { renaming, before } = journalOf(item);
  if (!renaming) return false;
  const channel = await work.desks.at(item.slot).channel(item.db);
  const rebuilt = before === 'done' || before === 'draining';
  const ours = rebuilt ? restoreName(item.slot, item.deletionId, item.seq) : tombstoneOf(item);
  const found = await whereIs(channel, item.name, ours);
  if (!found.original || found.tombstone) return false;
  if (before === 'draining') await channel.call(['UNLINK', tombstoneOf(item)]);
  await undone(work, item);
  return true;
}

async function undone(work: Work, item: StoredItem): Promise<void> {
  work.meter.add(journalOf(item).look?.length ?? 0);
  await saveItem(work, item, { state: 'undone', reason: null, undoUntil: null, endedAt: Date.now() });
}

async function refuse(work: Work, item: StoredItem, state: StoredItem['state'], code: string): Promise<void> {
  const { renaming: _, ...journal } = journalOf(item);
  await saveItem(work, item, { state, reason: told(code), journal });
}
