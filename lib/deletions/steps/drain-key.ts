import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import type { NodeExecutor } from '@/lib/deletions/executor/node-executor';
import { type ItemArchive, withItemArchive } from '@/lib/deletions/journal/item-archive';
import { journalOf, saveItem } from '@/lib/deletions/journal/item-journal';
import type { ElementChunk, ElementType } from '@/lib/model/deletions/archive';
import type { DrainPosition } from '@/lib/model/deletions/item-journal';
import { countHiddenFields } from '@/lib/redis/drain/drain-hash';
import type { Drainer } from '@/lib/redis/drain/drainer';
import { drainerOf } from '@/lib/redis/drain/drainer-of';
import type { WritingChannel } from '@/lib/redis/write/types';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';
import { judgeCopy, judgeVanished, reportMissingElements } from './judge-copy';

/** Read before one sync of the disk: a crash makes us read this much again, never more. */
const ROUND_ELEMENTS = 16_000;
const ROUND_BYTES = 4 * 1024 * 1024;
/** Largest reply asked for. */
const REPLY_BYTES = 1024 * 1024;
/** Without a copy the journal need not stand before each deletion: the forms are absolute. */
const REMOVE_JOURNAL_MS = 500;

/** A cursor or rank means something only to the process that gave it. */
export function positionOf(item: StoredItem, executor: NodeExecutor): DrainPosition {
  const { position, address, runId } = journalOf(item);
  return position && address === executor.address && runId === executor.node.runId ? position : {};
}

const typeOf = (item: StoredItem) => journalOf(item).look?.type as ElementType;
const encodingOf = (item: StoredItem) => journalOf(item).look?.encoding ?? null;

/**
 * Empties a tombstone in rounds: read, archive, sync, remove, journal. Whatever moment it is cut off at, the next run
 * begins at the journal: what was read twice is in the archive twice and removed once. Returns whether all of the key
 * is in the archive; where it is not, the item says so and what is left of the key stays.
 */
export async function drainWithArchive(run: DeletionRun, item: StoredItem, key: Buffer): Promise<boolean> {
  const executor = run.executors.at(item.slot);
  const channel = await executor.channel(item.db);
  const drainer = drainerOf(typeOf(item), encodingOf(item));
  if (!journalOf(item).archived) {
    const { short } = await archived(run, item, key, true);
    if (short) {
      await reportMissingElements(run, item, short);
      return false;
    }
  }
  // The one command that frees whatever is there: never before every element is known to be on the disk.
  if (!journalOf(item).archived) throw new Error('The archive of a key has no end.');
  await drainer.finish(channel, key);
  return true;
}

/**
 * Brings what is left of a tombstone into the archive and removes nothing: undo from the middle for what cannot
 * be restored into it. Returns whether all of the key is there.
 */
export async function archiveRest(run: DeletionRun, item: StoredItem, key: Buffer): Promise<boolean> {
  return (await archived(run, item, key, false)).short === null;
}

/** Reads to the end, counts, and only then writes the end of the archive. `short`: so many elements are missing. */
async function archived(
  run: DeletionRun,
  item: StoredItem,
  key: Buffer,
  remove: boolean,
): Promise<{ short: { archived: number } | null }> {
  const executor = run.executors.at(item.slot);
  const channel = await executor.channel(item.db);
  const drainer = drainerOf(typeOf(item), encodingOf(item));
  let short: { archived: number } | null = null;
  try {
    await withItemArchive(run, item, { channel, key }, async (archive) => {
      const { counted, seen } = await copy(run, item, key, {
        executor,
        channel,
        drainer,
        archive,
        remove,
        over: false,
        onRead: (n) => void (remove && run.meter.addRead(typeOf(item), n, journalOf(item).look?.length ?? null)),
      });
      const copied = await judgeCopy(item, counted, await hiddenIn(item, channel, key, remove ? 0 : seen));
      if (!copied.whole) {
        short = copied;
        return;
      }
      archive.end(copied.archived);
      const archiveBytes = await archive.sync();
      const journal = { ...journalOf(item), archived: true };
      await saveItem(run, item, { archived: copied.archived, archiveBytes, journal });
      await archive.seal();
    });
  } catch (error) {
    short = await judgeVanished(run, item, error);
  }
  return { short };
}

/** Asked only where fields of a hash are to be counted. */
async function hiddenIn(item: StoredItem, channel: WritingChannel, key: Buffer, unremoved: number): Promise<number> {
  const { look } = journalOf(item);
  return look?.type === 'hash' && look.length !== null ? countHiddenFields(channel, key, unremoved) : 0;
}

interface Copy {
  executor: NodeExecutor;
  channel: WritingChannel;
  drainer: Drainer;
  archive: ItemArchive;
  remove: boolean;
  /** Nobody waits for what is still being read. */
  over: boolean;
  /** With each page. */
  onRead(elements: number): void;
}

interface Round {
  chunks: ElementChunk[];
  elements: number;
  position: DrainPosition;
  /** A whole pass over the key ended here. What the next one finds is what was there when the removing is done. */
  turned: boolean;
  /** At its end the key was still there. */
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
 * Nothing is removed before its own sync. While the disk syncs one round the next is read; at full speed also while the
 * first is removed: two commands are on their way then, which saves much of the waiting for answers and is still not
 * noticed by others. A second pass begins when the first is removed, else it would read everything again; where nothing
 * is removed, one pass has seen it all. Returns how many elements were seen, and how many the server says it has
 * removed, which is how many are in the archive; null where it does not say, or where it began before this.
 */
async function copy(
  run: DeletionRun,
  item: StoredItem,
  key: Buffer,
  how: Copy,
): Promise<{ counted: number | null; seen: number }> {
  const { executor, channel, drainer, archive, remove } = how;
  let begins = remove ? positionOf(item, executor) : {};
  const fresh = remove && journalOf(item).position === undefined && item.archived === 0;
  let counted = 0;
  let seen = 0;
  let reading = begins.end ? null : readRound(how, key, begins);
  let removed = 0;
  try {
    for (let round = await reading; round; round = await reading) {
      const { chunks, elements, position, turned, there }: Round = round;
      seen += elements;
      const end: boolean = round.end || (turned && !remove);
      const twoAtOnce = remove && run.hooks.speed() === 'fast';
      const next = () => {
        const read = end ? null : readRound(how, key, position);
        // Awaited later; when something else fails first, nobody does.
        read?.catch(() => {});
        return read;
      };
      for (const chunk of chunks) archive.chunk(chunk);
      reading = turned ? null : next();
      const archiveBytes = await archive.sync();
      if (!twoAtOnce) await reading;
      // From here on the copy is on the disk. How much of the key it holds must be known before the elements go: an
      // emptied key is no more. What is not known to be removed is read again.
      await saveItem(run, item, {
        state: remove ? 'draining' : item.state,
        archived: item.archived + elements,
        archiveBytes,
        removed: item.removed + removed,
        journal: {
          ...journalOf(item),
          ...(remove && {
            position: end ? { ...position, end } : begins,
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
      begins = position;
      reading ??= next();
    }
  } finally {
    how.over = true;
    await reading?.catch(() => {});
    // For the page only: what is there tells what is left to do.
    if (removed > 0) await saveItem(run, item, { removed: item.removed + removed }).catch(() => {});
  }
  return { counted: fresh && drainer.counts ? counted : null, seen };
}

/** Empties a tombstone without a copy, in the cheapest form its type has. */
export async function drainWithoutArchive(run: DeletionRun, item: StoredItem, key: Buffer): Promise<void> {
  const executor = run.executors.at(item.slot);
  const channel = await executor.channel(item.db);
  const drainer = drainerOf(typeOf(item), encodingOf(item));
  let position = positionOf(item, executor);
  let removed = 0;
  let journalled = Date.now();
  const save = () =>
    saveItem(run, item, {
      state: 'draining',
      removed: item.removed + removed,
      journal: { ...journalOf(item), position, address: executor.address, runId: executor.node.runId },
    }).then(() => {
      removed = 0;
    });
  // From the first element on there is no undo: the state says so before it goes.
  if (item.state !== 'draining') await save();
  while (!position.end) {
    const removeNext = await drainer.removeNext(channel, key, position, executor.count());
    position = removeNext.end ? { ...removeNext.next, end: true } : removeNext.next;
    removed += removeNext.removed;
    run.meter.add(removeNext.removed);
    if (position.end || Date.now() - journalled > REMOVE_JOURNAL_MS) {
      await save();
      journalled = Date.now();
    }
  }
  await drainer.finish(channel, key);
}
