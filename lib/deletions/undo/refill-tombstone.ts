import { readChunks } from '@/lib/access/vault/archive-elements';
import { countDistinct } from '@/lib/access/vault/count-distinct';
import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import { getJournal, saveItem } from '@/lib/deletions/journal/item-journal';
import { buildTombstoneName } from '@/lib/deletions/journal/item-names';
import { isDumped } from '@/lib/model/deletions/archive';
import type { ItemJournal } from '@/lib/model/deletions/item-journal';
import { selectRestorer } from '@/lib/redis/restore/select-restorer';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';
import { type CopyParts, checkHeadroom, getRestorableType } from './rebuild-key';

/**
 * Undoes a partial deletion: writes the deleted elements into the tombstone again, and sends nothing else. If it has as
 * many elements as when it was tombstoned, its journal is reset as if nothing had been deleted; otherwise it stays as
 * it is. Returns how many elements it has. The beginning of a stream cannot be added again. Call this after
 * `moveTombstone`: a deletion that arrives late would delete again what was just restored.
 */
export async function refillTombstone(
  run: DeletionRun,
  item: StoredItem,
  { parts }: CopyParts,
): Promise<{ whole: boolean; count: number }> {
  const type = getRestorableType(item);
  const { look, fieldExpiries } = getJournal(item);
  if (!type || !look) return { whole: false, count: 0 };
  const channel = await run.executors.at(item.slot).channel(item.db);
  const key = buildTombstoneName(item);
  const restorer = selectRestorer(type);
  let count = await restorer.count(channel, key);
  // The length was never known. What was deleted was archived before, so with those elements the key is complete.
  const held = look.length === null ? await countDistinct(parts, item.seq) : 0;
  const missing = look.length === null ? held : look.length - count;
  if (missing > 0 && !WHOLE.has(type)) {
    await checkHeadroom(run, item, missing / (look.length ?? missing));
    const sorted = type === 'list';
    for (const { file, index } of sorted ? parts.toReversed() : parts)
      for await (const chunk of readChunks(file, index, item.seq, { sorted })) {
        await restorer.write(channel, key, chunk);
        run.meter.add(chunk.elements);
      }
    count = await restorer.count(channel, key);
    // Expiries are set after the count, because fields whose expiry has passed vanish at once.
    for (const { file, index } of parts)
      for await (const chunk of readChunks(file, index, item.seq, { sorted }))
        if (chunk.expiries) await restorer.expire?.(channel, key, chunk);
  }
  const lapsed = type === 'hash' && fieldExpiries === true;
  const uncounted = look.length === null && (held === 0 || UNORDERED.has(type) || isDumped(type));
  const whole = uncounted || count === look.length || (lapsed && count < (look.length ?? 0));
  if (whole) await forgetCopy(run, item);
  return { whole, count };
}

/**
 * Nothing can be added to these types: a stream cannot get its beginning again, the others exist completely or not at
 * all.
 */
const WHOLE: ReadonlySet<string> = new Set(['stream', 'string', 'vectorset', 'array']);
/** For these types it only matters which elements exist; for others also their position or beginning. */
const UNORDERED: ReadonlySet<string> = new Set(['hash', 'set', 'zset']);

/**
 * Drops the archive from the journal: it is no longer used. If the key is tombstoned again, another archive is begun.
 */
async function forgetCopy(run: DeletionRun, item: StoredItem): Promise<void> {
  const { look, expireAt, address, runId, intent, replicated, purgeAt, attempt, tombstones } = getJournal(item);
  const kept: ItemJournal = { look, expireAt, address, runId, intent, replicated, purgeAt, attempt, tombstones };
  const journal: ItemJournal = { ...kept, before: 'tombstoned' };
  await saveItem(run, item, { state: 'restoring', removed: 0, archived: 0, archiveBytes: 0, journal });
}
