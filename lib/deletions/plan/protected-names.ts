import { config } from '@/lib/config';
import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import { codedMessage, journalOf, saveItems } from '@/lib/deletions/journal/item-journal';
import type { ItemState } from '@/lib/model/deletions/item-states';
import { matchesBytes, matchesText, parseGlob } from '@/lib/model/text/glob';
import { isInternalKey } from '@/lib/redis/keys/internal-key-name';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';
import type { Candidate } from './candidate';

/**
 * Keys that no plan touches: those of a protected pattern, and ours. A pattern protects what it matches by characters
 * and what Redis would match by bytes: `user:??` is one character of two bytes to whoever tried it with KEYS.
 */
export function protection(): (key: Pick<Candidate, 'raw' | 'name'>) => 'protected' | 'ours' | null {
  const globs = config.protectedPatterns.map(parseGlob);
  return ({ raw, name }) => {
    if (isInternalKey(raw)) return 'ours';
    return globs.some((glob) => matchesBytes(glob, raw) || matchesText(glob, name)) ? 'protected' : null;
  };
}

/**
 * Of some items that are about to be removed, those that may be: a pattern may have come since they were planned, with
 * the process that goes on. What was not touched is skipped. What is tombstoned already is left as it is for a person,
 * who can undo it.
 */
export async function withoutProtected(run: DeletionRun, items: StoredItem[]): Promise<StoredItem[]> {
  const why = run.protectedBy;
  if (why === null) return items;
  const kept: StoredItem[] = [];
  const writes: Parameters<typeof saveItems>[1] = [];
  for (const item of items) {
    const reason = why({ raw: item.name, name: item.facts.name });
    if (reason === null) kept.push(item);
    else {
      const state: ItemState = item.state === 'planned' && !journalOf(item).intent ? 'skipped' : 'needs_review';
      writes.push({ item, patch: { state, reason: codedMessage(reason), endedAt: Date.now() } });
    }
  }
  await saveItems(run, writes);
  return kept;
}
