import type { ElementChunk, ElementType } from '@/lib/model/archive';
import type { Drainer, DrainPosition, WritingChannel } from '@/lib/redis/deletion-types';
import { drainerOf } from '@/lib/redis/drain';
import type { StoredItem } from '@/lib/store/deletion-items';
import type { Desk } from './desk';
import { type ItemArchive, withItemArchive } from './item-archive';
import { journalOf, saveItem } from './item-journal';
import type { Work } from './work';

/** Read before one sync of the disk: a crash makes us read this much again, never more. */
const ROUND_ELEMENTS = 16_000;
const ROUND_BYTES = 4 * 1024 * 1024;
/** Largest reply asked for. */
const REPLY_BYTES = 1024 * 1024;
/** Without a copy the journal need not stand before each removal: the forms are absolute. */
const SHED_JOURNAL_MS = 500;

/** A cursor or rank means something only to the process that gave it. */
export function positionOf(item: StoredItem, desk: Desk): DrainPosition {
  const { position, address, runId } = journalOf(item);
  return position && address === desk.address && runId === desk.node.runId ? position : {};
}

const typeOf = (item: StoredItem) => journalOf(item).look?.type as ElementType;
const encodingOf = (item: StoredItem) => journalOf(item).look?.encoding ?? null;

/**
 * Empties a tombstone in rounds: read, archive, sync, remove, journal. Whatever moment it is cut off at, the next run
 * begins at the journal: what was read twice is in the archive twice and removed once.
 */
export async function drainWithArchive(work: Work, item: StoredItem, key: Buffer): Promise<void> {
  const desk = work.desks.at(item.slot);
  const channel = await desk.channel(item.db);
  const drainer = drainerOf(typeOf(item), encodingOf(item));
  if (!journalOf(item).archived) {
    const drained = (archive: ItemArchive) => copy(work, item, key, { desk, channel, drainer, archive, remove: true });
    await withItemArchive(work, item, { channel, key }, drained);
  }
  await drainer.finish(channel, key);
}

/** Brings what is left of a tombstone into the archive and removes nothing: the way back from the middle. */
export async function archiveRest(work: Work, item: StoredItem, key: Buffer): Promise<void> {
  const desk = work.desks.at(item.slot);
  const channel = await desk.channel(item.db);
  const drainer = drainerOf(typeOf(item), encodingOf(item));
  const copied = (archive: ItemArchive) => copy(work, item, key, { desk, channel, drainer, archive, remove: false });
  await withItemArchive(work, item, { channel, key }, copied);
}

interface Copy {
  desk: Desk;
  channel: WritingChannel;
  drainer: Drainer;
  archive: ItemArchive;
  remove: boolean;
}

interface Round {
  chunks: ElementChunk[];
  elements: number;
  position: DrainPosition;
  /** A whole pass over the key ended here. What the next one finds is what was there when the removing is done. */
  turned: boolean;
  end: boolean;
}

async function readRound({ desk, channel, drainer }: Copy, key: Buffer, from: DrainPosition): Promise<Round> {
  const round: Round = { chunks: [], elements: 0, position: from, turned: false, end: false };
  let bytes = 0;
  while (!round.end && !round.turned && round.elements < ROUND_ELEMENTS && bytes < ROUND_BYTES) {
    const read = await drainer.read(channel, key, round.position, desk.count(), REPLY_BYTES);
    round.turned = (read.next.pass ?? 0) > (round.position.pass ?? 0);
    round.position = read.next;
    round.end = read.end;
    if (!read.chunk) continue;
    round.chunks.push(read.chunk);
    round.elements += read.chunk.elements;
    for (const value of read.chunk.values) bytes += value.length;
  }
  return round;
}

/**
 * While the disk syncs one round, the next is read: nothing is removed before its own sync. A second pass begins when
 * the first is removed, else it would read everything again; where nothing is removed, one pass has seen it all.
 */
async function copy(work: Work, item: StoredItem, key: Buffer, how: Copy): Promise<void> {
  const { desk, channel, drainer, archive, remove } = how;
  const from = remove ? positionOf(item, desk) : {};
  let round: Round | null = from.end ? null : await readRound(how, key, from);
  while (round) {
    const { chunks, elements, position, turned }: Round = round;
    const end: boolean = round.end || (turned && !remove);
    for (const chunk of chunks) archive.chunk(chunk);
    if (end) archive.end(item.archived + elements);
    const [archiveBytes, next]: [number, Round | null] = await Promise.all([
      archive.sync(),
      end || turned ? null : readRound(how, key, position),
    ]);
    // From here on the copy is on the disk.
    const journal = {
      ...journalOf(item),
      ...(remove && { position: end ? { ...position, end } : position, address: desk.address, runId: desk.node.runId }),
      ...(end && { archived: true }),
    };
    const state = remove ? ('draining' as const) : item.state;
    const archived = item.archived + elements;
    // An emptied key is no more: how much of it is in the archive must be known before its last elements go.
    if ((end || turned) && remove) await saveItem(work, item, { state, archived, archiveBytes, journal });
    let removed = 0;
    if (remove) for (const chunk of chunks) removed += await drainer.remove(channel, key, chunk);
    await saveItem(work, item, { state, archived, archiveBytes, removed: item.removed + removed, journal });
    work.meter.add(removed);
    round = turned && !end ? await readRound(how, key, position) : next;
  }
  await archive.seal();
}

/** Empties a tombstone without a copy, in the cheapest form its type has. */
export async function shedKey(work: Work, item: StoredItem, key: Buffer): Promise<void> {
  const desk = work.desks.at(item.slot);
  const channel = await desk.channel(item.db);
  const drainer = drainerOf(typeOf(item), encodingOf(item));
  let position = positionOf(item, desk);
  let removed = 0;
  let journalled = Date.now();
  const save = () =>
    saveItem(work, item, {
      state: 'draining',
      removed: item.removed + removed,
      journal: { ...journalOf(item), position, address: desk.address, runId: desk.node.runId },
    }).then(() => {
      removed = 0;
    });
  // From the first element on there is no way back: the state says so before it goes.
  if (item.state !== 'draining') await save();
  while (!position.end) {
    const shed = await drainer.shed(channel, key, position, desk.count());
    position = shed.end ? { ...shed.next, end: true } : shed.next;
    removed += shed.removed;
    work.meter.add(shed.removed);
    if (position.end || Date.now() - journalled > SHED_JOURNAL_MS) {
      await save();
      journalled = Date.now();
    }
  }
  await drainer.finish(channel, key);
}
