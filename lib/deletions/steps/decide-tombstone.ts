import { describeChange } from '@/lib/deletions/journal/describe-change';
import { createCodedMessage } from '@/lib/deletions/journal/write-journal';
import { isDumped, isElementType, MAX_DUMP_BYTES } from '@/lib/model/deletions/archive';
import type { CodedMessage } from '@/lib/model/deletions/coded-message';
import type { ItemState } from '@/lib/model/deletions/item-states';
import type { DeletionOptions } from '@/lib/model/deletions/plan-request';
import type { KeyFacts } from '@/lib/redis/write/types';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';

/** A key that expires sooner than this may vanish between two commands. */
const EXPIRES_SOON_MS = 60_000;

type TombstoneDecision =
  | { mayTombstone: true; facts: KeyFacts & { type: string } }
  | { mayTombstone: false; state: Extract<ItemState, 'vanished' | 'aborted' | 'skipped'>; reason: CodedMessage };

/**
 * Decides whether an item may be deleted now, by the facts that its server has just reported. The same decision applies
 * to single keys, to batches and to deletion in place. Times are by the clock of the server if it reports them.
 */
export function decideTombstone(
  item: Pick<StoredItem, 'type' | 'mode' | 'facts'>,
  facts: KeyFacts,
  options: Pick<DeletionOptions, 'tolerancePercent' | 'onExpiring'>,
): TombstoneDecision {
  const { type } = facts;
  if (type === null) return { mayTombstone: false, state: 'vanished', reason: createCodedMessage('gone_before') };
  const change = describeChange(item, facts, options.tolerancePercent);
  if (change) return { mayTombstone: false, state: 'aborted', reason: change };
  // The plan did not know its type: a key that only a module can read cannot be restored.
  if (!isElementType(type) && item.mode !== 'unlink')
    return { mayTombstone: false, state: 'aborted', reason: createCodedMessage('module_type', { type }) };
  // The plan did not know its size either: a key that was small enough for one copy command may have grown.
  if (isDumped(type) && item.mode === 'archive' && !(facts.bytes !== null && facts.bytes <= MAX_DUMP_BYTES))
    return { mayTombstone: false, state: 'aborted', reason: createCodedMessage('dump_too_large') };
  const expiresSoon = facts.expireAt !== null && facts.expireAt - (facts.at ?? Date.now()) < EXPIRES_SOON_MS;
  if (expiresSoon && options.onExpiring === 'skip')
    return { mayTombstone: false, state: 'skipped', reason: createCodedMessage('expires_soon') };
  return { mayTombstone: true, facts: { ...facts, type } };
}
