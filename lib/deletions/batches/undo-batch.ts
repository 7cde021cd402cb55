import { readKeys } from '@/lib/access/vault/archive-elements';
import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import { buildTemporaryName } from '@/lib/deletions/journal/item-names';
import { getJournal, saveItems } from '@/lib/deletions/journal/write-journal';
import { recordRestored } from '@/lib/deletions/steps/record-restored';
import type { ArchivedKey, ElementChunk } from '@/lib/model/deletions/archive';
import { readServerTime } from '@/lib/redis/info/server-clock';
import { buildAtOnce } from '@/lib/redis/restore/restore-small';
import { readNodeState } from '@/lib/redis/write/read-node-state';
import { renameBackAll } from '@/lib/redis/write/rename-back';
import type { WritingChannel } from '@/lib/redis/write/types';
import { removeAllSmall } from '@/lib/redis/write/unlink-keys';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';
import { openForBatch } from './open-for-batch';
import { isSmallKey } from './small-key';

/** Whether a small key was deleted and has one archive, so that it can be restored together with others. */
export const canUndoInBatch = (item: StoredItem): boolean =>
  item.state === 'done' && isSmallKey(item) && getJournal(item).archives?.length === 1;

/** Free memory that a batch of small keys requires, whatever its size. */
const HEADROOM_BYTES = 16 * 1024 * 1024;

/**
 * Restores many small keys of one node and database in the steps that one key takes: build under an internal name,
 * count, set the expiry, rename. Each key is checked on its own; all are journalled together. A key that was not
 * clearly restored stays in its state and is handled on its own later, which reports the reason.
 */
export async function undoBatch(run: DeletionRun, items: StoredItem[]): Promise<void> {
  const { executor, channel } = await openForBatch(run, items);
  const { usedMemory, maxMemory } = await readNodeState(channel);
  if (maxMemory && usedMemory && usedMemory + HEADROOM_BYTES > maxMemory) return;
  const rebuilt = await rebuildKeys(run, items, channel);
  const outcomes = await renameRebuiltKeys(run, rebuilt, channel);
  const renamed = rebuilt.flatMap(({ item }, index) => (outcomes[index] === 'renamed' ? [item] : []));
  const notRenamed = rebuilt.filter((_, index) => outcomes[index] !== 'renamed');
  // The server answered and did not rename these keys. Without this note another key under the original name would be
  // taken for the restored one once the copy is gone.
  await saveItems(
    run,
    notRenamed.map(({ item }) => ({ item, patch: { journal: { ...getJournal(item), renaming: false } } })),
  );
  await recordRestored(run, renamed);
  await executor.rest();
}

interface RebuiltKey {
  item: StoredItem;
  expireAt: number | null;
}

async function rebuildKeys(run: DeletionRun, items: StoredItem[], channel: WritingChannel): Promise<RebuiltKey[]> {
  const now = await readServerTime(channel);
  const rebuilds: (RebuiltKey & { length: number | null; steps: NonNullable<ReturnType<typeof buildAtOnce>> })[] = [];
  for (const { item, key, chunks } of await readArchivedKeys(run, items)) {
    const steps = buildAtOnce(key.type, buildTemporaryName(item), chunks);
    const isAhead = key.expireAt === null || (now !== null && key.expireAt > now);
    if (steps && isAhead) rebuilds.push({ item, steps, length: key.length, expireAt: key.expireAt });
  }
  if (rebuilds.length === 0) return [];
  await saveItems(
    run,
    rebuilds.map(({ item }) => ({
      item,
      patch: { state: 'restoring', reason: null, journal: { ...getJournal(item), before: 'done' as const } },
    })),
  );
  await removeAllSmall(
    channel,
    rebuilds.map(({ item }) => buildTemporaryName(item)),
  );
  const replies = await channel.callAll(rebuilds.flatMap(({ steps }) => [steps.build, steps.count]));
  return rebuilds.filter(({ length }, index) => {
    const [built, count] = replies.slice(index * 2, index * 2 + 2);
    for (const reply of [built, count]) if (reply instanceof Error) throw reply;
    return length === null || count === length;
  });
}

/** Reads the items that are complete in their archive. Each file is opened once for all of them. */
async function readArchivedKeys(run: DeletionRun, items: readonly StoredItem[]) {
  const files = new Map<string, StoredItem[]>();
  for (const item of items) {
    const [file = ''] = getJournal(item).archives ?? [];
    const group = files.get(file);
    if (group) group.push(item);
    else files.set(file, [item]);
  }
  const archivedKeys: { item: StoredItem; key: ArchivedKey; chunks: ElementChunk[] }[] = [];
  for (const [file, itemsOfFile] of files) {
    const index = await run.archives.getIndex(file);
    const complete = itemsOfFile.filter((item) => index.keys.get(item.seq)?.end);
    const chunks = await readKeys(
      file,
      index,
      complete.map(({ seq }) => seq),
    );
    for (const item of complete) {
      const key = index.keys.get(item.seq)?.key;
      if (key) archivedKeys.push({ item, key, chunks: chunks.get(item.seq) ?? [] });
    }
  }
  return archivedKeys;
}

/**
 * Renames the built keys and sets their expiries; a name that is in use is not overwritten. Returns the outcome of
 * each.
 */
async function renameRebuiltKeys(run: DeletionRun, built: readonly RebuiltKey[], channel: WritingChannel) {
  if (built.length === 0) return [];
  const renames = built.map(({ item, expireAt }) => ({
    tombstone: buildTemporaryName(item),
    name: item.name,
    expireAt,
  }));
  // From here on, both names are checked after a crash: only a complete key may count as restored.
  return renameBackAll(channel, renames, (deadline) =>
    saveItems(
      run,
      built.map(({ item }) => ({
        item,
        patch: { journal: { ...getJournal(item), renaming: true, ...(deadline !== null && { deadline }) } },
      })),
    ),
  );
}
