import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import {
  clearDeadlineOnRefusal,
  codedMessage,
  elementsOf,
  journalOf,
  noteItem,
  saveItem,
  saveItems,
  saveNoted,
} from '@/lib/deletions/journal/item-journal';
import { tombstoneOf } from '@/lib/deletions/journal/item-names';
import { maxBytesOf } from '@/lib/deletions/journal/size-limits';
import { awaitRemoved, awaitReplicas } from '@/lib/deletions/steps/await-replicas';
import { decideTombstone } from '@/lib/deletions/steps/decide-tombstone';
import { donePatch, endOfTime } from '@/lib/deletions/steps/finish-item';
import { isWhole, reportMissingElements } from '@/lib/deletions/steps/judge-copy';
import type { RunArchive } from '@/lib/deletions/steps/run-archive';
import { type ElementChunk, type ElementType, isElementType } from '@/lib/model/deletions/archive';
import type { DeletionOptions } from '@/lib/model/deletions/plan-request';
import { drainerOf } from '@/lib/redis/drain/drainer-of';
import { readSmallKeys } from '@/lib/redis/drain/read-small';
import { compareAndRenameAll } from '@/lib/redis/write/compare-and-rename';
import { readFactsOfKeys } from '@/lib/redis/write/read-key-facts';
import { IN_TIME_MS } from '@/lib/redis/write/server-time';
import type { KeyFacts, WritingChannel } from '@/lib/redis/write/types';
import { removeAllSmall } from '@/lib/redis/write/unlink-keys';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';
import { observedNow } from '@/lib/store/observed-clock';
import { countDistinctIn } from '@/lib/vault/count-distinct';

/** A key up to this size is read in one piece. */
const SMALL_BYTES = 16 * 1024;

export function isSmall(item: StoredItem): boolean {
  const { bytes } = item.facts;
  return item.mode !== 'in_place' && isElementType(item.type) && bytes !== null && bytes <= SMALL_BYTES;
}

/**
 * Many small keys of one node and database by the steps that one large key takes: looked at, tombstoned, copied,
 * synced, removed; each checked on its own, all journalled together. Keys that turned large meanwhile are left to the
 * other way.
 */
export async function removeBatch(run: DeletionRun, items: StoredItem[], archive: RunArchive): Promise<void> {
  const [first] = items;
  if (!first) return;
  const executor = run.executors.at(first.slot);
  const channel = await executor.unpaced(first.db);
  // What holds the server back holds the batch too, before its first write.
  await executor.rest(0);
  const began = performance.now();
  const taken = await takeAll(run, items, channel, executor);
  try {
    await awaitReplicas(run, taken);
    if (first.mode === 'quarantine') await keepAll(run, taken);
    else await drainBatch(run, taken, channel, archive);
  } catch (error) {
    // What is tombstoned is reported as such, whoever stopped us; a store that refuses it too has the names on the
    // server.
    await saveNoted(run, taken).catch(() => {});
    throw error;
  }
  run.meter.add(
    taken.reduce((sum, item) => sum + elementsOf(item), 0),
    taken.length,
  );
  await executor.rest(performance.now() - began);
}

async function keepAll(run: DeletionRun, items: StoredItem[]): Promise<void> {
  const { quarantineHours } = run.deletion.plan.options as DeletionOptions;
  const purgeAt = endOfTime(quarantineHours, await observedNow());
  await saveItems(
    run,
    items.map((item) => ({
      item,
      patch: { state: 'quarantined', undoUntil: purgeAt, journal: { ...journalOf(item), purgeAt } },
    })),
  );
}

/** What is left to do with small keys of one node and database that are tombstoned, all in one mode. */
export async function drainBatch(
  run: DeletionRun,
  items: StoredItem[],
  channel: WritingChannel,
  archive: RunArchive,
): Promise<void> {
  if (items.length === 0) return;
  const archived = items[0]?.mode === 'archive';
  const copied = archived ? await copyAll(run, items, channel, archive) : items;
  if (copied.length === 0) return;
  // Both names are gone from here on: only the journal tells what we removed from what nobody has touched yet.
  await saveNoted(run, copied);
  // Refused: what is tombstoned is still there, and none of it may be called done.
  await removeAllSmall(
    channel,
    copied.map((item) => tombstoneOf(item)),
  );
  await awaitRemoved(run, copied);
  const now = await observedNow();
  await saveItems(
    run,
    copied.map((item) => ({ item, patch: donePatch(run, item, archived, now) })),
  );
}

async function takeAll(
  run: DeletionRun,
  items: StoredItem[],
  channel: WritingChannel,
  executor: { address: string; node: { runId: string | null } },
): Promise<StoredItem[]> {
  const options = run.deletion.plan.options as DeletionOptions;
  const { tolerancePercent } = options;
  const looks = await readFactsOfKeys(
    channel,
    items.map((item) => item.name),
  );
  const wanted: { item: StoredItem; look: KeyFacts & { type: string } }[] = [];
  const writes: Parameters<typeof saveItems>[1] = [];
  items.forEach((item, index) => {
    const look = looks[index];
    if (!look) return;
    const decision = decideTombstone(item, look, options);
    if (!decision.tombstone)
      writes.push({ item, patch: { state: decision.state, reason: decision.reason, endedAt: Date.now() } });
    else if ((look.bytes ?? 0) > 4 * SMALL_BYTES)
      writes.push({ item, patch: { facts: { ...item.facts, bytes: look.bytes } } });
    else {
      wanted.push({ item, look: decision.facts });
      const { type, encoding, length, bytes, expireAt } = decision.facts;
      const journal = {
        intent: true,
        ...(look.at !== null && { deadline: look.at + IN_TIME_MS }),
        address: executor.address,
        runId: executor.node.runId,
        look: { type, encoding, length, bytes },
        expireAt,
      };
      writes.push({ item, patch: { startedAt: Date.now(), journal } });
    }
  });
  await saveItems(run, writes);
  if (wanted.length === 0) return [];
  const away = wanted.map(({ item, look }) => ({
    name: item.name,
    tombstone: tombstoneOf(item),
    type: look.type,
    length: look.length,
    tolerancePercent,
    maxBytes: maxBytesOf(item, look, tolerancePercent),
    deadline: look.at === null ? null : look.at + IN_TIME_MS,
    unguarded: () => saveItem(run, item, { journal: { ...journalOf(item), unguarded: true } }),
  }));
  const begun = wanted.map(({ item }) => item);
  const renamed = await clearDeadlineOnRefusal(run, begun, () => compareAndRenameAll(channel, away));
  const taken: StoredItem[] = [];
  const after: Parameters<typeof saveItems>[1] = [];
  wanted.forEach(({ item, look }, index) => {
    const outcome = renamed[index]?.outcome;
    if (outcome === 'renamed') {
      const { type, encoding, bytes } = look;
      // As it was at the rename: the application may have written since our look.
      const length = renamed[index]?.length ?? look.length;
      const expireAt = renamed[index]?.expireAt ?? null;
      const journal = { ...journalOf(item), look: { type, encoding, length, bytes }, expireAt };
      // Written with the next step: until then the names on the server tell it.
      noteItem(item, { state: 'tombstoned', journal });
      taken.push(item);
    } else if (outcome === 'taken' || outcome === 'late') {
      // What carries our name already was compared with nothing: it goes by itself, and is looked at first. So does
      // what the server was too slow for.
      after.push({ item, patch: { journal: null } });
    } else {
      const changed = outcome === 'changed';
      const reason = codedMessage(changed ? 'changed_meanwhile' : 'gone_before');
      after.push({
        item,
        patch: { state: changed ? 'aborted' : 'vanished', reason, journal: null, endedAt: Date.now() },
      });
    }
  });
  await saveItems(run, after);
  return taken;
}

/** Returns those that are whole in the archive; the others say how much of them is. */
async function copyAll(
  run: DeletionRun,
  items: StoredItem[],
  channel: WritingChannel,
  archive: RunArchive,
): Promise<StoredItem[]> {
  if (items.length === 0) return [];
  const copies = await readAll(channel, items);
  const { writer, file } = await archive.open();
  const before = archive.bytes;
  for (const { item, chunks, facts, archived, whole } of copies) {
    const { look, expireAt } = journalOf(item);
    writer.key({
      seq: item.seq,
      name: item.name,
      db: item.db,
      type: look?.type as ElementType,
      encoding: look?.encoding ?? null,
      length: look?.length ?? null,
      expireAt: expireAt ?? null,
      archivedAt: Date.now(),
      ...facts,
    });
    for (const chunk of chunks) writer.chunk(item.seq, chunk);
    if (whole) writer.end({ seq: item.seq, elements: archived });
  }
  // The file is named in the journal before anything is removed that only it holds.
  await archive.sync();
  const archiveBytes = Math.round((archive.bytes - before) / items.length);
  await saveItems(
    run,
    copies.map(({ item, archived, whole }) => ({
      item,
      patch: {
        archived,
        archiveBytes,
        journal: { ...journalOf(item), archives: [file], ...(whole && { archived: true }) },
      },
    })),
  );
  for (const { item, archived, whole } of copies) if (!whole) await reportMissingElements(run, item, { archived });
  return copies.filter(({ whole }) => whole).map(({ item }) => item);
}

type Copy = { item: StoredItem } & Awaited<ReturnType<typeof readWhole>>;

async function readAll(channel: WritingChannel, items: readonly StoredItem[]): Promise<Copy[]> {
  const keys = items.map((item) => {
    const { type = '', encoding = null, length = null } = journalOf(item).look ?? {};
    return { key: tombstoneOf(item), type: type as ElementType, encoding, length };
  });
  const chunks = await readSmallKeys(channel, keys);
  return Promise.all(
    items.map(async (item, index): Promise<Copy> => {
      const chunk = chunks[index];
      if (!chunk) return { item, ...(await readWhole(channel, item)) };
      return { item, chunks: [chunk], facts: undefined, ...judgeRead(item, [chunk], true) };
    }),
  );
}

async function readWhole(channel: WritingChannel, item: StoredItem) {
  const { look } = journalOf(item);
  const drainer = drainerOf(look?.type as ElementType, look?.encoding ?? null);
  const key = tombstoneOf(item);
  const facts = await drainer.facts?.(channel, key);
  const chunks: ElementChunk[] = [];
  let position = {};
  let passed = false;
  for (let end = false; !end; ) {
    const read = await drainer.read(channel, key, position, 1000, 1024 * 1024);
    position = read.next;
    passed ||= read.there === true;
    // Nothing is removed between: one pass has seen it all.
    end = read.end || (read.next.pass ?? 0) > 0;
    if (read.chunk) chunks.push(read.chunk);
  }
  return { chunks, facts, ...judgeRead(item, chunks, passed) };
}

function judgeRead(item: StoredItem, chunks: readonly ElementChunk[], passed: boolean) {
  const { look } = journalOf(item);
  const archived = countDistinctIn(chunks);
  const fieldExpiries = chunks.some((chunk) => chunk.expiries);
  return { archived, whole: isWhole({ look, fieldExpiries }, { archived, passed }) };
}
