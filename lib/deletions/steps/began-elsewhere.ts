import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import { codedMessage, journalOf, saveItem } from '@/lib/deletions/journal/item-journal';
import { tombstoneOf } from '@/lib/deletions/journal/item-names';
import { readKeyFacts } from '@/lib/redis/write/read-key-facts';
import { whereIs } from '@/lib/redis/write/where-is';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';

/**
 * Whether work on an item began on the server before the one that a person has accepted: its journal describes what was
 * seen there.
 */
export function beganElsewhere(run: Pick<DeletionRun, 'deletion'>, item: StoredItem): boolean {
  const { accepted } = run.deletion.plan;
  return accepted !== undefined && item.journal !== null && (item.startedAt ?? 0) <= accepted.at;
}

/**
 * Checks an item that began elsewhere: the work continues only if its tombstone is here as it was there. A key that is
 * not here may never have been here: it is not taken for deleted, and a person decides. Returns whether the work
 * continues.
 */
export async function isTombstonedHere(run: DeletionRun, item: StoredItem): Promise<boolean> {
  const review = async (reason: ReturnType<typeof codedMessage>) => {
    await saveItem(run, item, { state: 'needs_review', reason, endedAt: Date.now() });
    return false;
  };
  if (item.mode === 'in_place') return review(codedMessage('began_elsewhere'));
  const channel = await run.executors.at(item.slot).channel(item.db);
  const { original, tombstone } = await whereIs(channel, item.name, tombstoneOf(item));
  if (!tombstone) return review(codedMessage(original ? 'rename_lost' : 'not_set_aside_here'));
  const { look } = journalOf(item);
  const is = await readKeyFacts(channel, tombstoneOf(item));
  const known = look !== undefined && look.length !== null && is.length !== null;
  // Elements that were deleted there may be missing here, but nothing was added to an internal name, which no other
  // client writes to.
  const whole = item.state === 'tombstoned' || item.state === 'quarantined';
  const differs = known && (whole ? is.length !== look.length : (is.length ?? 0) > (look.length ?? 0));
  if (look && is.type !== look.type)
    return review(codedMessage('changed_type', { was: look.type, is: is.type ?? '?' }));
  if (differs) return review(codedMessage('changed_length', { was: look.length ?? '?', is: is.length ?? '?' }));
  return true;
}
