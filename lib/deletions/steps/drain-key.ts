import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import type { NodeExecutor } from '@/lib/deletions/executor/node-executor';
import { type ItemArchive, withItemArchive } from '@/lib/deletions/journal/item-archive';
import { getJournal, saveItem } from '@/lib/deletions/journal/item-journal';
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
const REMOVE_JOURNAL_MS = 500;

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
  const executor = run.executors.at(item.slot);
  const channel = await executor.channel(item.db);
  const drainer = selectDrainer(getElementType(item), getEncoding(item));
  if (!getJournal(item).archived) {
    const incomplete = await copyToEnd(run, item, key, true);
    if (incomplete) {
      await reportMissingElements(run, item, incomplete);
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
  return (await copyToEnd(run, item, key, false)) === null;
}

/**
 * Reads to the end, counts, and only then writes the end of the archive. Returns how many elements are in the archive
 * if some are missing; null = all are there. `remove`: whether to delete what was copied.
 */
async function copyToEnd(
  run: DeletionRun,
  item: StoredItem,
  key: Buffer,
  remove: boolean,
): Promise<{ archived: number } | null> {
  const executor = run.executors.at(item.slot);
  const channel = await executor.channel(item.db);
  const drainer = selectDrainer(getElementType(item), getEncoding(item));
  let incomplete: { archived: number } | null = null;
  try {
    await withItemArchive(run, item, { channel, key }, async (archive) => {
      const { counted, seen } = await copy(run, item, key, {
        executor,
        channel,
        drainer,
        archive,
        remove,
        over: false,
        onRead: (n) =>
          void (remove && run.meter.addRead(getElementType(item), n, getJournal(item).look?.length ?? null)),
      });
      const copied = await judgeCopy(item, counted, await countHidden(item, channel, key, remove ? 0 : seen));
      if (!copied.whole) {
        incomplete = copied;
        return;
      }
      archive.end(copied.archived);
      const archiveBytes = await archive.sync();
      const journal = { ...getJournal(item), archived: true };
      await saveItem(run, item, { archived: copied.archived, archiveBytes, journal });
      await archive.seal();
    });
  } catch (error) {
    incomplete = await judgeVanished(run, item, error);
  }
  return incomplete;
}

/** Counts the hidden fields of a hash whose length was counted; 0 for other keys. */
async function countHidden(item: StoredItem, channel: WritingChannel, key: Buffer, unremoved: number): Promise<number> {
  const { look } = getJournal(item);
  return look?.type === 'hash' && look.length !== null ? countHiddenFields(channel, key, unremoved) : 0;
}

interface Copy {
  executor: NodeExecutor;
  channel: WritingChannel;
  drainer: Drainer;
  archive: ItemArchive;
  remove: boolean;
  /** Set at the end: nobody waits for what is still being read. */
  over: boolean;
  /** Called with each page. */
  onRead(elements: number): void;
}

interface Round {
  chunks: ElementChunk[];
  elements: number;
  position: DrainPosition;
  /**
   * A whole pass over the key ended here. The next pass must begin after the deletions, so that it finds only what is
   * left.
   */
  turned: boolean;
  /** Whether the key still existed at the end of the round. */
  there: boolean;
  end: boolean;
}

async function readRound(how: Copy, key: Buffer, from: DrainPosition): Promise<Round> {
  const { executor, channel, drainer } = how;
  const round: Round = { chunks: [], elements: 0, position: from, turned: false, there: false, end: false };
  let bytes = 0;
  while (!round.end && !round.turned && !how.over && round.elements < ROUND_ELEMENTS && bytes < ROUND_BYTES) {
    const read = await drainer.read(channel, key, round.position, executor.count(), REPLY_BYTES);
    round.turned = (read.next.pass ?? 0) > (round.position.pass ?? 0);
    round.position = read.next;
    round.end = read.end;
    round.there ||= read.there === true;
    if (!read.chunk) continue;
    round.chunks.push(read.chunk);
    round.elements += read.chunk.elements;
    how.onRead(read.chunk.elements);
    for (const value of read.chunk.values) bytes += value.length;
  }
  return round;
}

/**
 * Copies the key in rounds and deletes what was copied. Nothing is deleted before its own sync. While the disk syncs
 * one round the next is read; at full speed it is read also while the first is deleted: two commands are then under
 * way, which saves much waiting for answers and still does not affect other clients. A second pass begins after the
 * deletions of the first, otherwise it would read everything again; if nothing is deleted, one pass has seen it all.
 * `seen`: how many elements were read. `counted`: how many the server says it has deleted, which is how many are in the
 * archive; null = it does not say, or the work began before this call.
 */
async function copy(
  run: DeletionRun,
  item: StoredItem,
  key: Buffer,
  how: Copy,
): Promise<{ counted: number | null; seen: number }> {
  const { executor, channel, drainer, archive, remove } = how;
  let roundStart = remove ? getDrainPosition(item, executor) : {};
  const fresh = remove && getJournal(item).position === undefined && item.archived === 0;
  let counted = 0;
  let seen = 0;
  let reading = roundStart.end ? null : readRound(how, key, roundStart);
  let removed = 0;
  try {
    for (let round = await reading; round; round = await reading) {
      const { chunks, elements, position, turned, there }: Round = round;
      seen += elements;
      const end: boolean = round.end || (turned && !remove);
      const twoAtOnce = remove && run.hooks.speed() === 'fast';
      const readNextRound = () => {
        const read = end ? null : readRound(how, key, position);
        // It is awaited later, or not at all if something else fails first.
        read?.catch(() => {});
        return read;
      };
      for (const chunk of chunks) archive.chunk(chunk);
      reading = turned ? null : readNextRound();
      const archiveBytes = await archive.sync();
      if (!twoAtOnce) await reading;
      // From here on the copy is on the disk. How much of the key it has must be saved before the elements are deleted,
      // because a key without elements no longer exists. What is not known to be deleted is read again.
      await saveItem(run, item, {
        state: remove ? 'draining' : item.state,
        archived: item.archived + elements,
        archiveBytes,
        removed: item.removed + removed,
        journal: {
          ...getJournal(item),
          ...(remove && {
            position: end ? { ...position, end } : roundStart,
            address: executor.address,
            runId: executor.node.runId,
          }),
          ...((turned || end) && there && { passed: true }),
          ...(chunks.some((chunk) => chunk.expiries) && { fieldExpiries: true }),
        },
      });
      removed = 0;
      for (const chunk of remove ? chunks : []) {
        const gone = await drainer.remove(channel, key, chunk);
        removed += gone;
        counted += gone;
        run.meter.add(gone);
      }
      roundStart = position;
      reading ??= readNextRound();
    }
  } finally {
    how.over = true;
    await reading?.catch(() => {});
    // This is for the page only: the key itself shows what is left to do.
    if (removed > 0) await saveItem(run, item, { removed: item.removed + removed }).catch(() => {});
  }
  return { counted: fresh && drainer.counts ? counted : null, seen };
}

/** Empties a tombstone without a copy, by the cheapest command of its type. */
export async function drainWithoutArchive(run: DeletionRun, item: StoredItem, key: Buffer): Promise<void> {
  const executor = run.executors.at(item.slot);
  const channel = await executor.channel(item.db);
  const drainer = selectDrainer(getElementType(item), getEncoding(item));
  let position = getDrainPosition(item, executor);
  let removed = 0;
  let savedAt = Date.now();
  const save = () =>
    saveItem(run, item, {
      state: 'draining',
      removed: item.removed + removed,
      journal: { ...getJournal(item), position, address: executor.address, runId: executor.node.runId },
    }).then(() => {
      removed = 0;
    });
  // From the first element on there is no undo, so the state is saved before it is deleted.
  if (item.state !== 'draining') await save();
  while (!position.end) {
    const step = await drainer.removeNext(channel, key, position, executor.count());
    position = step.end ? { ...step.next, end: true } : step.next;
    removed += step.removed;
    run.meter.add(step.removed);
    if (position.end || Date.now() - savedAt > REMOVE_JOURNAL_MS) {
      await save();
      savedAt = Date.now();
    }
  }
  await drainer.finish(channel, key);
}
