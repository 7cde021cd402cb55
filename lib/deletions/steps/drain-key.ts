import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import type { NodeExecutor } from '@/lib/deletions/executor/node-executor';
import { type ItemArchive, withItemArchive } from '@/lib/deletions/journal/item-archive';
import { getJournal, saveItem } from '@/lib/deletions/journal/write-journal';
import type { ElementChunk, ElementType } from '@/lib/model/deletions/archive';
import type { DrainPosition } from '@/lib/model/deletions/item-journal';
import { countHiddenFields } from '@/lib/redis/drain/drain-hash';
import type { Drainer } from '@/lib/redis/drain/drainer';
import { selectDrainer } from '@/lib/redis/drain/select-drainer';
import type { WritingChannel } from '@/lib/redis/write/types';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';
import { judgeCopy, judgeVanished, reportMissingElements } from './judge-copy';

/** How much is read before one sync of the disk: after a crash at most this much is read again. */
const ROUND_ELEMENTS = 16_000;
const ROUND_BYTES = 4 * 1024 * 1024;
/** Largest reply that is requested, bytes. */
const REPLY_BYTES = 1024 * 1024;
/**
 * How often the journal is saved without a copy, ms. It need not be saved before each deletion: repeating a command
 * deletes nothing else.
 */
const SAVE_JOURNAL_EVERY_MS = 500;

/** The position to continue from. A cursor or rank is valid only for the process that gave it. */
function getDrainPosition(item: StoredItem, executor: NodeExecutor): DrainPosition {
  const { position, address, runId } = getJournal(item);
  return position && address === executor.address && runId === executor.node.runId ? position : {};
}

const getElementType = (item: StoredItem) => getJournal(item).look?.type as ElementType;
const getEncoding = (item: StoredItem) => getJournal(item).look?.encoding ?? null;

/**
 * Empties a tombstone in rounds: read, archive, sync, delete, journal. Whenever it is interrupted, the next run
 * continues from the journal: elements that were read twice are in the archive twice and deleted once. Returns whether
 * all of the key is in the archive; if not, the item records that and the rest of the key stays.
 */
export async function drainWithArchive(run: DeletionRun, item: StoredItem, key: Buffer): Promise<boolean> {
  const executor = run.executors.getForSlot(item.slot);
  const channel = await executor.openPaced(item.db);
  const drainer = selectDrainer(getElementType(item), getEncoding(item));
  if (!getJournal(item).archived) {
    const shortfall = await copyToEnd(run, item, key, { deletesCopied: true });
    if (shortfall) {
      await reportMissingElements(run, item, shortfall);
      return false;
    }
  }
  // This command frees whatever is there, so it must not be sent before every element is known to be on the disk.
  if (!getJournal(item).archived) throw new Error('The archive of a key has no end.');
  await drainer.finish(channel, key);
  return true;
}

/**
 * Archives the rest of a tombstone without deleting anything: an undo of a partly deleted key that cannot be restored
 * into its tombstone. Returns whether all of the key is in the archive.
 */
export async function archiveRest(run: DeletionRun, item: StoredItem, key: Buffer): Promise<boolean> {
  return (await copyToEnd(run, item, key, { deletesCopied: false })) === null;
}

/**
 * Reads to the end, counts, and only then writes the end of the archive. Returns how many elements are in the archive
 * if some are missing; null = all are there. `deletesCopied`: whether elements are deleted after they were copied.
 */
async function copyToEnd(
  run: DeletionRun,
  item: StoredItem,
  key: Buffer,
  { deletesCopied }: Pick<CopyContext, 'deletesCopied'>,
): Promise<{ archived: number } | null> {
  const executor = run.executors.getForSlot(item.slot);
  const channel = await executor.openPaced(item.db);
  const drainer = selectDrainer(getElementType(item), getEncoding(item));
  let shortfall: { archived: number } | null = null;
  try {
    await withItemArchive(run, item, { channel, key }, async (archive) => {
      const { elementsDeleted, elementsRead } = await copyInRounds(run, item, key, {
        executor,
        channel,
        drainer,
        archive,
        deletesCopied,
        isOver: false,
        onRead: (elements) =>
          void (
            deletesCopied &&
            run.meter.addReadElements(getElementType(item), elements, getJournal(item).look?.length ?? null)
          ),
      });
      const result = await judgeCopy(
        item,
        elementsDeleted,
        await countHidden(item, channel, key, deletesCopied ? 0 : elementsRead),
      );
      if (!result.isComplete) {
        shortfall = result;
        return;
      }
      archive.writeEnd(result.archived);
      const archiveBytes = await archive.sync();
      const journal = { ...getJournal(item), archived: true };
      await saveItem(run, item, { archived: result.archived, archiveBytes, journal });
      await archive.seal();
    });
  } catch (error) {
    shortfall = await judgeVanished(run, item, error);
  }
  return shortfall;
}

/** Counts the hidden fields of a hash whose length was counted; 0 for other keys. */
async function countHidden(
  item: StoredItem,
  channel: WritingChannel,
  key: Buffer,
  elementsLeft: number,
): Promise<number> {
  const { look } = getJournal(item);
  return look?.type === 'hash' && look.length !== null ? countHiddenFields(channel, key, elementsLeft) : 0;
}

interface CopyContext {
  executor: NodeExecutor;
  channel: WritingChannel;
  drainer: Drainer;
  archive: ItemArchive;
  deletesCopied: boolean;
  /** Set at the end of the copy: nothing waits for the round that is still being read. */
  isOver: boolean;
  /** Called with each page. */
  onRead(elements: number): void;
}

interface CopyRound {
  chunks: ElementChunk[];
  elements: number;
  position: DrainPosition;
  /**
   * Whether a whole pass over the key ended in this round. The next pass must begin after the deletions, so that it
   * finds only the elements that are left.
   */
  hasTurned: boolean;
  /** Whether the key still existed at the end of the round. */
  keyExists: boolean;
  hasEnded: boolean;
}

async function readRound(context: CopyContext, key: Buffer, from: DrainPosition): Promise<CopyRound> {
  const { executor, channel, drainer } = context;
  const round: CopyRound = {
    chunks: [],
    elements: 0,
    position: from,
    hasTurned: false,
    keyExists: false,
    hasEnded: false,
  };
  let bytes = 0;
  while (
    !round.hasEnded &&
    !round.hasTurned &&
    !context.isOver &&
    round.elements < ROUND_ELEMENTS &&
    bytes < ROUND_BYTES
  ) {
    const page = await drainer.read(channel, key, round.position, executor.getChunkSize(), REPLY_BYTES);
    round.hasTurned = (page.next.pass ?? 0) > (round.position.pass ?? 0);
    round.position = page.next;
    round.hasEnded = page.end;
    round.keyExists ||= page.there === true;
    if (!page.chunk) continue;
    round.chunks.push(page.chunk);
    round.elements += page.chunk.elements;
    context.onRead(page.chunk.elements);
    for (const value of page.chunk.values) bytes += value.length;
  }
  return round;
}

/**
 * Copies the key in rounds and deletes what was copied. Nothing is deleted before its own sync. While the disk syncs
 * one round the next is read; at full speed it is read also while the first is deleted: two commands are then under
 * way, which saves much waiting for answers and still does not affect other clients. A second pass begins after the
 * deletions of the first, otherwise it would read everything again; if nothing is deleted, one pass has seen it all.
 * `elementsRead`: how many were read. `elementsDeleted`: how many the server reports as deleted, which is how many are
 * in the archive; null = it does not report that, or the work began before this call.
 */
async function copyInRounds(
  run: DeletionRun,
  item: StoredItem,
  key: Buffer,
  context: CopyContext,
): Promise<{ elementsDeleted: number | null; elementsRead: number }> {
  const { executor, channel, drainer, archive, deletesCopied } = context;
  let roundStart = deletesCopied ? getDrainPosition(item, executor) : {};
  const isFirstCopy = deletesCopied && getJournal(item).position === undefined && item.archived === 0;
  let elementsDeleted = 0;
  let elementsRead = 0;
  let reading = roundStart.end ? null : readRound(context, key, roundStart);
  let unsavedRemoved = 0;
  try {
    for (let round = await reading; round; round = await reading) {
      const { chunks, elements, position, hasTurned, keyExists }: CopyRound = round;
      elementsRead += elements;
      const end: boolean = round.hasEnded || (hasTurned && !deletesCopied);
      const readsAhead = deletesCopied && run.hooks.getSpeed() === 'fast';
      const readNextRound = () => {
        const nextRound = end ? null : readRound(context, key, position);
        // It is awaited later, or not at all if something else fails first.
        nextRound?.catch(() => {});
        return nextRound;
      };
      for (const chunk of chunks) archive.writeChunk(chunk);
      reading = hasTurned ? null : readNextRound();
      const archiveBytes = await archive.sync();
      if (!readsAhead) await reading;
      // From here on the copy is on the disk. How much of the key it has must be saved before the elements are deleted,
      // because a key without elements no longer exists. What is not known to be deleted is read again.
      await saveItem(run, item, {
        state: deletesCopied ? 'draining' : item.state,
        archived: item.archived + elements,
        archiveBytes,
        removed: item.removed + unsavedRemoved,
        journal: {
          ...getJournal(item),
          ...(deletesCopied && {
            position: end ? { ...position, end } : roundStart,
            address: executor.address,
            runId: executor.node.runId,
          }),
          ...((hasTurned || end) && keyExists && { passed: true }),
          ...(chunks.some((chunk) => chunk.expiries) && { fieldExpiries: true }),
        },
      });
      unsavedRemoved = 0;
      for (const chunk of deletesCopied ? chunks : []) {
        const removedNow = await drainer.remove(channel, key, chunk);
        unsavedRemoved += removedNow;
        elementsDeleted += removedNow;
        run.meter.addDone(removedNow);
      }
      roundStart = position;
      reading ??= readNextRound();
    }
  } finally {
    context.isOver = true;
    await reading?.catch(() => {});
    // This is for the page only: the key itself shows what is left to do.
    if (unsavedRemoved > 0) await saveItem(run, item, { removed: item.removed + unsavedRemoved }).catch(() => {});
  }
  return { elementsDeleted: isFirstCopy && drainer.counts ? elementsDeleted : null, elementsRead };
}

/** Empties a tombstone without a copy, by the cheapest command of its type. */
export async function drainWithoutArchive(run: DeletionRun, item: StoredItem, key: Buffer): Promise<void> {
  const executor = run.executors.getForSlot(item.slot);
  const channel = await executor.openPaced(item.db);
  const drainer = selectDrainer(getElementType(item), getEncoding(item));
  let position = getDrainPosition(item, executor);
  let unsavedRemoved = 0;
  let savedAt = Date.now();
  const save = () =>
    saveItem(run, item, {
      state: 'draining',
      removed: item.removed + unsavedRemoved,
      journal: { ...getJournal(item), position, address: executor.address, runId: executor.node.runId },
    }).then(() => {
      unsavedRemoved = 0;
    });
  // From the first element on there is no undo, so the state is saved before it is deleted.
  if (item.state !== 'draining') await save();
  while (!position.end) {
    const step = await drainer.removeNext(channel, key, position, executor.getChunkSize());
    position = step.end ? { ...step.next, end: true } : step.next;
    unsavedRemoved += step.removed;
    run.meter.addDone(step.removed);
    if (position.end || Date.now() - savedAt > SAVE_JOURNAL_EVERY_MS) {
      await save();
      savedAt = Date.now();
    }
  }
  await drainer.finish(channel, key);
}
