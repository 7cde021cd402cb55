import type { Work } from '@/lib/deletions/executor/deletion-run';
import { journalOf, saveItem, told } from '@/lib/deletions/journal/item-journal';
import { tombstoneOf } from '@/lib/deletions/journal/item-names';
import { whereIs } from '@/lib/redis/write/compare-and-rename';
import { lookAtKey } from '@/lib/redis/write/read-key-facts';
import type { StoredItem } from '@/lib/store/deletion-items';

/** Taken up on the server before the one that a person has accepted: what its journal says was seen there. */
export function beganElsewhere(work: Pick<Work, 'deletion'>, item: StoredItem): boolean {
  const { accepted } = work.deletion.plan;
  return accepted !== undefined && item.journal !== null && (item.startedAt ?? 0) <= accepted.at;
}

/**
 * Of an item that began elsewhere: goes on only with what is set aside here as it was there. What is not there may
 * never have been there: it is not taken for removed, and a person looks. Returns whether it goes on.
 */
export async function isSetAsideHere(work: Work, item: StoredItem): Promise<boolean> {
  const review = async (reason: ReturnType<typeof told>) => {
    await saveItem(work, item, { state: 'needs_review', reason, endedAt: Date.now() });
    return false;
  };
  if (item.mode === 'in_place') return review(told('began_elsewhere'));
  const channel = await work.desks.at(item.slot).channel(item.db);
  const { original, tombstone } = await whereIs(channel, item.name, tombstoneOf(item));
  if (!tombstone) return review(told(original ? 'rename_lost' : 'not_set_aside_here'));
  const { look } = journalOf(item);
  const is = await lookAtKey(channel, tombstoneOf(item));
  const known = look !== undefined && look.length !== null && is.length !== null;
  // Elements that were taken out there may be missing here, but none was added to a name that nobody else writes.
  const whole = item.state === 'tombstoned' || item.state === 'quarantined';
  const differs = known && (whole ? is.length !== look.length : (is.length ?? 0) > (look.length ?? 0));
  if (look && is.type !== look.type) return review(told('changed_type', { was: look.type, is: is.type ?? '?' }));
  if (differs) return review(told('changed_length', { was: look.length ?? '?', is: is.length ?? '?' }));
  return true;
}
