import { readChunks } from '@/lib/access/vault/archive-elements';
import type { ArchiveIndex } from '@/lib/access/vault/archive-reader';
import { countDistinct } from '@/lib/access/vault/count-distinct';
import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import { NeedsOperator } from '@/lib/deletions/executor/run-errors';
import { listArchiveParts } from '@/lib/deletions/journal/archive-parts';
import { buildTemporaryName } from '@/lib/deletions/journal/item-names';
import { createCodedMessage, getJournal, saveItem } from '@/lib/deletions/journal/write-journal';
import { type ArchivedKey, type ElementChunk, isElementType } from '@/lib/model/deletions/archive';
import type { CodedMessage } from '@/lib/model/deletions/coded-message';
import { freeKey } from '@/lib/redis/drain/free-key';
import { readServerTime } from '@/lib/redis/info/server-clock';
import type { LostPending } from '@/lib/redis/restore/restorer';
import { selectRestorer } from '@/lib/redis/restore/select-restorer';
import { readNodeState } from '@/lib/redis/write/read-node-state';
import { renameBack } from '@/lib/redis/write/rename-back';
import type { WritingChannel } from '@/lib/redis/write/types';
import { WriteFailure } from '@/lib/redis/write/write-failure';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';
import { deleteTemporaries } from './undo-states';

export interface UndoContext {
  /** Whether to restore also keys that would have expired meanwhile, without an expiry. */
  restoreExpired: boolean;
}

/**
 * `refused`: why the key was not restored. `reported`: the key was restored except for this part; null = all of it was
 * restored.
 */
type RebuildOutcome = { refused: CodedMessage } | { reported: CodedMessage | null };

/** The files that have elements of one key, each verified from its first byte to its last. */
export interface ArchivedCopy {
  parts: { file: string; index: ArchiveIndex }[];
  key: ArchivedKey | null;
  /** How many distinct elements were counted when all of the key was in the archive; null = it never was complete. */
  endElements: number | null;
}

export async function readArchivedCopy(run: DeletionRun, item: StoredItem): Promise<ArchivedCopy> {
  const indexes = [];
  for (const { file, upTo } of await listArchiveParts(item))
    indexes.push({ file, index: await run.archives.getIndex(file, upTo) });
  const parts = indexes.filter(({ index }) => index.keys.has(item.seq));
  const key = parts[0]?.index.keys.get(item.seq)?.key ?? null;
  const endRecord = parts.map(({ index }) => index.keys.get(item.seq)?.end).findLast((record) => record != null);
  return { parts, key, endElements: endRecord?.elements ?? null };
}

/** A rebuilt key takes this many times its earlier memory: a little more while it grows. */
const HEADROOM_FACTOR = 1.2;

/** Throws NeedsOperator if `share` of the key does not fit into the free memory. */
export async function assertHeadroom(run: DeletionRun, item: StoredItem, share = 1): Promise<void> {
  const channel = await run.executors.getForSlot(item.slot).openPaced(item.db);
  const { usedMemory, maxMemory } = await readNodeState(channel);
  const bytes = (getJournal(item).look?.bytes ?? item.archiveBytes) * share;
  if (maxMemory && usedMemory && usedMemory + bytes * HEADROOM_FACTOR > maxMemory)
    throw new NeedsOperator({ code: 'no_memory', params: {} });
}

/**
 * Rebuilds a key from its archive. Every byte of the archive is verified before the first command; readers see nothing
 * until the complete key is renamed. `expected` = how many distinct elements the archive must have; by default as many
 * as the key had when it was tombstoned.
 */
export async function rebuildKey(
  run: DeletionRun,
  item: StoredItem,
  request: UndoContext,
  copy: ArchivedCopy,
  expected: number | null = copy.key?.length ?? null,
): Promise<RebuildOutcome> {
  const { parts, key, endElements } = copy;
  if (!key) return { refused: createCodedMessage('archive_incomplete') };
  const channel = await run.executors.getForSlot(item.slot).openPaced(item.db);
  const isExpired = key.expireAt !== null && key.expireAt <= ((await readServerTime(channel)) ?? key.expireAt);
  if (isExpired && !request.restoreExpired) return { refused: createCodedMessage('expired_meanwhile') };
  if (endElements === null) {
    const archivedElements = await countDistinct(parts, item.seq);
    if (expected === null) return { refused: createCodedMessage('archive_incomplete') };
    if (archivedElements < expected) return { refused: describeCountDifference(archivedElements, expected) };
  }
  await assertHeadroom(run, item);

  const temporary = buildTemporaryName(item);
  await deleteTemporaries(run, item);
  const restorer = selectRestorer(key.type);
  // Lists and strings grow from their beginning, but their end was archived first.
  const isSorted = key.type === 'list' || key.type === 'string';
  const orderedParts = isSorted ? parts.toReversed() : parts;
  let hasFieldExpiries = false;
  const fillTemporary = async () => {
    for (const { file, index } of orderedParts)
      for await (const chunk of readChunks(file, index, item.seq, { sorted: isSorted, groups: false })) {
        hasFieldExpiries ||= chunk.expiries !== undefined;
        await restorer.write(channel, temporary, chunk);
        // A string is one element; it is counted when it is restored.
        if (key.type !== 'string') run.meter.addDone(chunk.elements);
      }
    return (await restorer.finish?.(channel, temporary, key, readGroups(parts, item.seq))) ?? null;
  };
  const lostPending = await fillTemporary().catch((error) => freeIfNoMemory(channel, temporary, error));
  const count = await restorer.count(channel, temporary);
  // Fields of the hash had expired when it was copied: all fields that were counted then are restored.
  const hasLapsedFields = key.type === 'hash' && count === endElements;
  if (expected !== null && count !== expected && !hasLapsedFields) {
    await freeKey(channel, temporary);
    return { refused: describeCountDifference(count, expected) };
  }
  if (hasFieldExpiries)
    for (const { file, index } of orderedParts)
      for await (const chunk of readChunks(file, index, item.seq, { sorted: isSorted }))
        if (chunk.expiries) await restorer.expire?.(channel, temporary, chunk);
  const renameToName = (expireAt: number | null) =>
    renameBack(channel, { tombstone: temporary, name: item.name, expireAt }, async (deadline) => {
      const journal = { ...getJournal(item), renaming: true, ...(deadline !== null && { deadline }) };
      await saveItem(run, item, { journal });
    }).catch((error) => {
      if (error instanceof WriteFailure && error.kind === 'denied') return 'denied' as const;
      throw error;
    });
  const firstOutcome = await renameToName(isExpired ? null : key.expireAt);
  // The key may expire while it is built.
  const outcome = firstOutcome === 'expired' && request.restoreExpired ? await renameToName(null) : firstOutcome;
  if (outcome === 'renamed') {
    if (key.type === 'string') run.meter.addDone(1);
    return { reported: lostPending && describePendingLost(lostPending) };
  }
  // This is saved before the copy is deleted: otherwise another key under this name would be taken for the restored
  // one.
  await saveItem(run, item, { journal: { ...getJournal(item), renaming: false } });
  await freeKey(channel, temporary);
  if (outcome === 'denied') return { refused: createCodedMessage('rename_denied') };
  // A hash also expires as a whole if each of its fields had an expiry and all have passed.
  if (outcome === 'expired' || (outcome === 'vanished' && hasFieldExpiries))
    return { refused: createCodedMessage('expired_meanwhile') };
  return {
    refused: outcome === 'recreated' ? createCodedMessage('recreated') : describeCountDifference(0, expected ?? count),
  };
}

/** Frees a key that cannot be finished for lack of memory, so that it takes none while it waits for a person. */
async function freeIfNoMemory(channel: WritingChannel, temporary: Buffer, error: unknown): Promise<never> {
  if (error instanceof WriteFailure && error.kind === 'out_of_memory') await freeKey(channel, temporary);
  throw error;
}

export const describeCountDifference = (is: number, was: number | null) =>
  createCodedMessage('count_short', { is, was: was ?? '?' });

const describePendingLost = ({ rows, ids }: LostPending) =>
  createCodedMessage('pending_lost', { rows, ids: ids.join(', ') });

async function* readGroups(parts: ArchivedCopy['parts'], seq: number): AsyncGenerator<ElementChunk> {
  for (const { file, index } of parts) yield* readChunks(file, index, seq, { sorted: false, groups: true });
}

/** The type of a tombstone, if Colonnade can restore its elements; null = it cannot. */
export const getRestorableType = (item: StoredItem) => {
  const type = getJournal(item).look?.type ?? null;
  return isElementType(type) ? type : null;
};
