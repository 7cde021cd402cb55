import { countDistinctIn } from '@/lib/access/vault/count-distinct';
import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import { buildKeyRecord } from '@/lib/deletions/journal/item-archive';
import { buildTombstoneName } from '@/lib/deletions/journal/item-names';
import { getJournal, saveItems } from '@/lib/deletions/journal/write-journal';
import { isCopyComplete, reportMissingElements } from '@/lib/deletions/steps/judge-copy';
import type { RunArchive } from '@/lib/deletions/steps/run-archive';
import type { ElementChunk, ElementType } from '@/lib/model/deletions/archive';
import { countHiddenFields } from '@/lib/redis/drain/drain-hash';
import { readSmallKeys } from '@/lib/redis/drain/read-small';
import { selectDrainer } from '@/lib/redis/drain/select-drainer';
import type { WritingChannel } from '@/lib/redis/write/types';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';

/** Limits of one reply. A small key usually fits into one. */
const PAGE_ELEMENTS = 1000;
const PAGE_BYTES = 1024 * 1024;

/**
 * Copies small keys into the archive. Returns the items whose copy is complete; each other item records how many of its
 * elements were copied.
 */
export async function copyBatch(
  run: DeletionRun,
  items: StoredItem[],
  channel: WritingChannel,
  archive: RunArchive,
): Promise<StoredItem[]> {
  if (items.length === 0) return [];
  const copies = await readKeysWhole(channel, items);
  const { writer, file } = await archive.openFile();
  const bytesBefore = archive.bytes;
  for (const { item, chunks, facts, archived, isComplete } of copies) {
    writer.writeKey(buildKeyRecord(item, facts));
    for (const chunk of chunks) writer.writeChunk(item.seq, chunk);
    if (isComplete) writer.writeEnd({ seq: item.seq, elements: archived });
  }
  // The journal names the file before anything is deleted that only this file still holds.
  await archive.sync();
  const archiveBytes = Math.round((archive.bytes - bytesBefore) / items.length);
  await saveItems(
    run,
    copies.map(({ item, archived, isComplete }) => ({
      item,
      patch: {
        archived,
        archiveBytes,
        journal: { ...getJournal(item), archives: [file], ...(isComplete && { archived: true }) },
      },
    })),
  );
  for (const { item, archived, isComplete } of copies)
    if (!isComplete) await reportMissingElements(run, item, { archived });
  return copies.filter(({ isComplete }) => isComplete).map(({ item }) => item);
}

type ArchiveCopy = { item: StoredItem } & Awaited<ReturnType<typeof readKeyWhole>>;

/** Reads keys with all their elements: many in one write, and one by one those that this does not support. */
async function readKeysWhole(channel: WritingChannel, items: readonly StoredItem[]): Promise<ArchiveCopy[]> {
  const keys = items.map((item) => {
    const { type = '', encoding = null, length = null } = getJournal(item).look ?? {};
    return { key: buildTombstoneName(item), type: type as ElementType, encoding, length };
  });
  const chunks = await readSmallKeys(channel, keys);
  return Promise.all(
    items.map(async (item, index): Promise<ArchiveCopy> => {
      const chunk = chunks[index];
      if (!chunk) return { item, ...(await readKeyWhole(channel, item)) };
      return {
        item,
        chunks: [chunk],
        facts: undefined,
        ...judgeChunks(item, [chunk], { hiddenFields: 0, reachedEnd: true }),
      };
    }),
  );
}

async function readKeyWhole(channel: WritingChannel, item: StoredItem) {
  const { look } = getJournal(item);
  const drainer = selectDrainer(look?.type as ElementType, look?.encoding ?? null);
  const key = buildTombstoneName(item);
  const facts = await drainer.readFacts?.(channel, key);
  const chunks: ElementChunk[] = [];
  let position = {};
  let reachedEnd = false;
  for (let hasEnded = false; !hasEnded; ) {
    const page = await drainer.read(channel, key, position, PAGE_ELEMENTS, PAGE_BYTES);
    position = page.next;
    reachedEnd ||= page.there === true;
    // Nothing is deleted during the reading, so one pass has seen all elements.
    hasEnded = page.end || (page.next.pass ?? 0) > 0;
    if (page.chunk) chunks.push(page.chunk);
  }
  const isCountedHash = look?.type === 'hash' && look.length !== null;
  const hiddenFields = isCountedHash ? await countHiddenFields(channel, key, countDistinctIn(chunks)) : 0;
  return { chunks, facts, ...judgeChunks(item, chunks, { hiddenFields, reachedEnd }) };
}

function judgeChunks(
  item: StoredItem,
  chunks: readonly ElementChunk[],
  reading: { hiddenFields: number; reachedEnd: boolean },
) {
  const { look } = getJournal(item);
  const archived = countDistinctIn(chunks);
  const fieldExpiries = chunks.some((chunk) => chunk.expiries);
  return { archived, isComplete: isCopyComplete({ look, fieldExpiries }, { archived, ...reading }) };
}
