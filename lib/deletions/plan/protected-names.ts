import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import { createCodedMessage, getJournal, type ItemWrite, saveItems } from '@/lib/deletions/journal/write-journal';
import type { ItemState } from '@/lib/model/deletions/item-states';
import { matchesBytes, matchesText, parseGlob } from '@/lib/model/text/glob';
import { isInternalKey } from '@/lib/redis/keys/internal-key-name';
import { config } from '@/lib/runtime/config';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';
import type { Candidate } from './candidate';

/**
 * Returns a function that returns why no plan changes a key: it matches a protected pattern, or it is an internal key;
 * null = it is not protected. A pattern is matched both by characters and by bytes, as Redis does: with KEYS, `user:??`
 * matches one character of two bytes.
 */
export function createProtectionCheck(): (key: Pick<Candidate, 'raw' | 'name'>) => 'protected' | 'ours' | null {
  const globs = config.protectedPatterns.map(parseGlob);
  return ({ raw, name }) => {
    if (isInternalKey(raw)) return 'ours';
    return globs.some((glob) => matchesBytes(glob, raw) || matchesText(glob, name)) ? 'protected' : null;
  };
}

/**
 * Returns the items that may be deleted. Protected patterns may have been added since they were planned, with a restart
 * of the process. Keys that were not changed yet are skipped. Tombstoned keys stay as they are for a person, who can
 * undo them.
 */
export async function excludeProtected(run: DeletionRun, items: StoredItem[]): Promise<StoredItem[]> {
  const { findProtection } = run;
  if (findProtection === null) return items;
  const allowed: StoredItem[] = [];
  const writes: ItemWrite[] = [];
  for (const item of items) {
    const reason = findProtection({ raw: item.name, name: item.facts.name });
    if (reason === null) allowed.push(item);
    else {
      const state: ItemState = item.state === 'planned' && !getJournal(item).intent ? 'skipped' : 'needs_review';
      writes.push({ item, patch: { state, reason: createCodedMessage(reason), endedAt: Date.now() } });
    }
  }
  await saveItems(run, writes);
  return allowed;
}
