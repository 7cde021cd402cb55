import { readChunks } from '@/lib/access/vault/archive-elements';
import { countDistinct } from '@/lib/access/vault/count-distinct';
import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import { buildTombstoneName } from '@/lib/deletions/journal/item-names';
import { getJournal, saveItem } from '@/lib/deletions/journal/write-journal';
import { isDumped } from '@/lib/model/deletions/archive';
import type { ItemJournal } from '@/lib/model/deletions/item-journal';
import { selectRestorer } from '@/lib/redis/restore/select-restorer';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';
import { type ArchivedCopy, assertHeadroom, getRestorableType } from './rebuild-key';

/**
 * Undoes a partial deletion: writes the deleted elements into the tombstone again, and sends nothing else. If it has as
 * many elements as when it was tombstoned, its journal is reset as if nothing had been deleted; otherwise it stays as
 * it is. Returns how many elements it has. The beginning of a stream cannot be added again. Call this after
 * `moveTombstone`: a deletion that arrives late would delete again what was just restored.
 */
export async function refillTombstone(
  run: DeletionRun,
  item: StoredItem,
  { parts }: ArchivedCopy,
): Promise<{ isComplete: boolean; count: number }> {
  const type = getRestorableType(item);
  const { look, fieldExpiries } = getJournal(item);
  if (!type || !look) return { isComplete: false, count: 0 };
  const channel = await run.executors.getForSlot(item.slot).openPaced(item.db);
  const key = buildTombstoneName(item);
  const restorer = selectRestorer(type);
  let count = await restorer.count(channel, key);
  // The length was never known. What was deleted was archived before, so with those elements the key is complete.
  const archivedElements = look.length === null ? await countDistinct(parts, item.seq) : 0;
  const missing = look.length === null ? archivedElements : look.length - count;
  if (missing > 0 && !TYPES_NOT_REFILLED.has(type)) {
    await assertHeadroom(run, item, missing / (look.length ?? missing));
    const isSorted = type === 'list';
    for (const { file, index } of isSorted ? parts.toReversed() : parts)
      for await (const chunk of readChunks(file, index, item.seq, { sorted: isSorted })) {
        await restorer.write(channel, key, chunk);
        run.meter.addDone(chunk.elements);
      }
    count = await restorer.count(channel, key);
    // Expiries are set after the count, because fields whose expiry has passed vanish at once.
    for (const { file, index } of parts)
      for await (const chunk of readChunks(file, index, item.seq, { sorted: isSorted }))
        if (chunk.expiries) await restorer.expire?.(channel, key, chunk);
  }
  const mayHaveLapsed = type === 'hash' && fieldExpiries === true;
  const cannotBeCounted =
    look.length === null && (archivedElements === 0 || UNORDERED_TYPES.has(type) || isDumped(type));
  const isComplete = cannotBeCounted || count === look.length || (mayHaveLapsed && count < (look.length ?? 0));
  if (isComplete) await dropArchiveFromJournal(run, item);
  return { isComplete, count };
}

/**
 * Nothing can be added to these types: a stream cannot get its beginning again, the others exist completely or not at
 * all.
 */
const TYPES_NOT_REFILLED: ReadonlySet<string> = new Set(['stream', 'string', 'vectorset', 'array']);
/** For these types it only matters which elements exist; for others also their position or beginning. */
const UNORDERED_TYPES: ReadonlySet<string> = new Set(['hash', 'set', 'zset']);

/**
 * Drops the archive from the journal: it is no longer used. If the key is tombstoned again, another archive is begun.
 */
async function dropArchiveFromJournal(run: DeletionRun, item: StoredItem): Promise<void> {
  const { look, expireAt, address, runId, intent, replicated, purgeAt, attempt, tombstones } = getJournal(item);
  const kept: ItemJournal = { look, expireAt, address, runId, intent, replicated, purgeAt, attempt, tombstones };
  const journal: ItemJournal = { ...kept, before: 'tombstoned' };
  await saveItem(run, item, { state: 'restoring', removed: 0, archived: 0, archiveBytes: 0, journal });
}
