import { verb } from '@/lib/access/auth/verb';
import { scopeToDeletion } from '@/lib/access/auth/verb-scopes';
import { getJournal } from '@/lib/deletions/journal/write-journal';
import { readUndoClock } from '@/lib/deletions/run/read-undo-clock';
import type { Actor } from '@/lib/model/actor';
import type { DeletionItem, ItemPage, ItemQuery } from '@/lib/model/deletions/deletion-item';
import { AppError } from '@/lib/model/errors';
import { encodeKey } from '@/lib/model/keys/key-id';
import { countItems } from '@/lib/store/deletions/deletion-counts';
import { listItems, type StoredItem } from '@/lib/store/deletions/deletion-items';
import { toWallClock } from '@/lib/store/settings/observed-clock';
import { getDeletionOrThrow } from './get-deletion';

/** Returns the keys of a plan or deletion in their order, a page at a time. */
export const listItemsPage = verb(
  { needs: 'instance.read', on: scopeToDeletion },
  async (_actor: Actor, id: string, query: ItemQuery): Promise<ItemPage> => {
    const { plan, startedAt } = await getDeletionOrThrow(id);
    const states = query.state ? [query.state] : undefined;
    if (query.cursor !== undefined && !/^\d{1,9}$/.test(query.cursor))
      throw new AppError('bad_request', 'The cursor is not valid.', {});
    const afterSeq = query.cursor === undefined ? undefined : Number(query.cursor);
    const nextItems = await listItems({ deletionId: id, states, afterSeq, limit: query.limit + 1 });
    const items = nextItems.slice(0, query.limit);
    const counts = await countItems(id);
    const total = query.state ? (counts[query.state] ?? 0) : Object.values(counts).reduce((sum, keys) => sum + keys, 0);
    const now = await readUndoClock(plan.task);
    const startOfExpiries = plan.task === 'expire' ? (startedAt ?? Date.now()) : 0;
    return {
      items: items.map((item) => toDeletionItem(item, startOfExpiries, now)),
      nextCursor: nextItems.length > query.limit ? String(items.at(-1)?.seq) : null,
      total,
    };
  },
);

function toDeletionItem(item: StoredItem, startOfExpiries: number, now: number): DeletionItem {
  const { facts } = item;
  return {
    ...facts,
    seq: item.seq,
    k: encodeKey(item.name),
    db: item.db,
    slot: item.slot,
    type: item.type,
    mode: item.mode,
    state: item.state,
    reason: item.reason,
    removed: item.removed,
    archivedElements: item.archived,
    archiveBytes: item.archiveBytes,
    newExpireAt: facts.newExpireAt === null ? null : (getJournal(item).ours ?? startOfExpiries + facts.newExpireAt),
    startedAt: item.startedAt,
    endedAt: item.endedAt,
    undoUntil: toWallClock(item.undoUntil, now),
  };
}
