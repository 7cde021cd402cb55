import { readKeys } from '@/lib/access/vault/archive-elements';
import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import { getJournal, saveItems } from '@/lib/deletions/journal/item-journal';
import { buildTemporaryName } from '@/lib/deletions/journal/item-names';
import { noteRestored } from '@/lib/deletions/steps/note-restored';
import type { ArchivedKey, ElementChunk } from '@/lib/model/deletions/archive';
import { readServerTime } from '@/lib/redis/info/server-clock';
import { buildAtOnce } from '@/lib/redis/restore/restore-small';
import { readNodeState } from '@/lib/redis/write/read-node-state';
import { renameBackAll } from '@/lib/redis/write/rename-back';
import type { WritingChannel } from '@/lib/redis/write/types';
import { removeAllSmall } from '@/lib/redis/write/unlink-keys';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';
import { openForBatch } from './open-for-batch';
import { isSmall } from './small-key';

/** Whether a small key was deleted and has one archive, so that it can be restored together with others. */
export const canUndoInBatch = (item: StoredItem): boolean =>
  item.state === 'done' && isSmall(item) && getJournal(item).archives?.length === 1;

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
  const built = await buildAll(run, items, channel);
  const outcomes = await renameAll(run, built, channel);
  const renamed = built.flatMap(({ item }, index) => (outcomes[index] === 'renamed' ? [item] : []));
  const others = built.filter((_, index) => outcomes[index] !== 'renamed');
  // The server answered and did not rename these keys. Without this note another key under the original name would be
  // taken for the restored one once the copy is gone.
  await saveItems(
    run,
    others.map(({ item }) => ({ item, patch: { journal: { ...getJournal(item), renaming: false } } })),
  );
  await noteRestored(run, renamed);
  await executor.rest();
}

interface Built {
  item: StoredItem;
  expireAt: number | null;
}

async function buildAll(run: DeletionRun, items: StoredItem[], channel: WritingChannel): Promise<Built[]> {
  const now = await readServerTime(channel);
  const wanted: (Built & { length: number | null; steps: NonNullable<ReturnType<typeof buildAtOnce>> })[] = [];
  for (const { item, key, chunks } of await readArchived(run, items)) {
    const steps = buildAtOnce(key.type, buildTemporaryName(item), chunks);
    const isAhead = key.expireAt === null || (now !== null && key.expireAt > now);
    if (steps && isAhead) wanted.push({ item, steps, length: key.length, expireAt: key.expireAt });
  }
  if (wanted.length === 0) return [];
  await saveItems(
    run,
    wanted.map(({ item }) => ({
      item,
      patch: { state: 'restoring', reason: null, journal: { ...getJournal(item), before: 'done' as const } },
    })),
  );
  await removeAllSmall(
    channel,
    wanted.map(({ item }) => buildTemporaryName(item)),
  );
  const replies = await channel.callAll(wanted.flatMap(({ steps }) => [steps.build, steps.count]));
  return wanted.filter(({ length }, index) => {
    const [made, counted] = replies.slice(index * 2, index * 2 + 2);
    for (const reply of [made, counted]) if (reply instanceof Error) throw reply;
    return length === null || counted === length;
  });
}

/** Reads the items that are complete in their archive. Each file is opened once for all of them. */
async function readArchived(run: DeletionRun, items: readonly StoredItem[]) {
  const files = new Map<string, StoredItem[]>();
  for (const item of items) {
    const [file = ''] = getJournal(item).archives ?? [];
    const known = files.get(file);
    if (known) known.push(item);
    else files.set(file, [item]);
  }
  const found: { item: StoredItem; key: ArchivedKey; chunks: ElementChunk[] }[] = [];
  for (const [file, itemsOfFile] of files) {
    const index = await run.archives.get(file);
    const whole = itemsOfFile.filter((item) => index.keys.get(item.seq)?.end);
    const chunks = await readKeys(
      file,
      index,
      whole.map(({ seq }) => seq),
    );
    for (const item of whole) {
      const key = index.keys.get(item.seq)?.key;
      if (key) found.push({ item, key, chunks: chunks.get(item.seq) ?? [] });
    }
  }
  return found;
}

/**
 * Renames the built keys and sets their expiries; a name that is in use is not overwritten. Returns the outcome of
 * each.
 */
async function renameAll(run: DeletionRun, built: readonly Built[], channel: WritingChannel) {
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
