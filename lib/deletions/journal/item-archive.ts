import { generateArchiveName } from '@/lib/access/vault/archive-folder';
import { type ArchiveWriter, openArchiveWriter } from '@/lib/access/vault/archive-writer';
import { readLeftArchive } from '@/lib/access/vault/read-left-archive';
import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import { type ArchivedKey, type ElementChunk, type ElementType, isElementType } from '@/lib/model/deletions/archive';
import { selectDrainer } from '@/lib/redis/drain/select-drainer';
import type { WritingChannel } from '@/lib/redis/write/types';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';
import { type ArchivePart, countSyncedBytes } from './archive-parts';
import { getJournal, saveItem } from './write-journal';

/**
 * Opens the archive of one item for its next elements while `act` runs. Only the run that began a file writes to it: a
 * run that was suspended and has lost its lease may still write to its own file, and these records must not mix with
 * those of the next run. After a failed write or sync it is unknown what the disk has of that file, whatever a read
 * returns: the next attempt begins another file.
 */
export async function withItemArchive(
  run: DeletionRun,
  item: StoredItem,
  source: { channel: WritingChannel; key: Buffer },
  act: (archive: ItemArchive) => Promise<void>,
): Promise<void> {
  const { writer, file } = await openWriter(run, item, source);
  const earlierBytes = getJournal(item).earlierBytes ?? 0;
  try {
    await act({
      writeChunk: (chunk) => writer.writeChunk(item.seq, chunk),
      writeEnd: (elements) => writer.writeEnd({ seq: item.seq, elements }),
      sync: async () => earlierBytes + (await writer.sync()).bytes,
      seal: () => writer.seal(),
    });
  } catch (error) {
    if (writer.failed) await endFile(run, item, file);
    throw error;
  } finally {
    await writer.close();
  }
}

export interface ItemArchive {
  writeChunk(chunk: ElementChunk): void;
  /** How many elements of the key are in all its files. */
  writeEnd(elements: number): void;
  /** Returns how many bytes all its files have on the disk. */
  sync(): Promise<number>;
  seal(): Promise<void>;
}

async function openWriter(
  run: DeletionRun,
  item: StoredItem,
  { channel, key }: { channel: WritingChannel; key: Buffer },
): Promise<{ writer: ArchiveWriter; file: string }> {
  const lastFile = getJournal(item).archives?.at(-1);
  const begunFile = lastFile !== undefined && run.begunArchives.has(lastFile) ? lastFile : null;
  const { file, known: knownKey } = begunFile === null ? await beginFile(run, item) : { file: begunFile, known: null };
  const writer = await openArchiveWriter({
    deletionId: item.deletionId,
    file,
    // The writer fails if the file has fewer good bytes than the journal states: elements already deleted from the
    // server would be missing.
    synced: begunFile === null ? 0 : countSyncedBytes(item),
  });
  try {
    await writeKeyOnce(writer, item, { channel, key, known: knownKey });
  } catch (error) {
    // The server may become unreachable during the call; the item continues with the archive later.
    await writer.close().catch(() => {});
    throw error;
  }
  return { writer, file };
}

/**
 * Begins another file after those of earlier runs. The last of those counts as far as it is good now; if it has no
 * elements, it is dropped from the journal. The journal names the new file before it exists, so no archive file is ever
 * unknown.
 */
async function beginFile(run: DeletionRun, item: StoredItem): Promise<{ file: string; known: ArchivedKey | null }> {
  const { archives = [], countedBytes = {}, ...journal } = getJournal(item);
  const lastFile = archives.at(-1);
  const file = generateArchiveName(item.deletionId, item.seq);
  const leftFile =
    lastFile === undefined ? null : await readLeftFile(item, { file: lastFile, upTo: countedBytes[lastFile] });
  const countedBytesNow =
    lastFile !== undefined && leftFile?.counts ? { ...countedBytes, [lastFile]: leftFile.bytes } : countedBytes;
  const keptArchives = leftFile?.counts === false ? archives.slice(0, -1) : archives;
  await saveItem(run, item, {
    journal: {
      ...journal,
      archives: [...keptArchives, file],
      earlierBytes: item.archiveBytes,
      ...(Object.keys(countedBytesNow).length > 0 && { countedBytes: countedBytesNow }),
    },
  });
  run.begunArchives.add(file);
  return { file, known: leftFile?.key ?? null };
}

/** Reads what the previous run has left in its file, and whether elements of the key are in it. */
async function readLeftFile(
  item: StoredItem,
  { file, upTo }: ArchivePart,
): Promise<{ counts: boolean; bytes: number; key: ArchivedKey | null }> {
  const synced = countSyncedBytes(item);
  const index = await readLeftArchive(file, item.deletionId, { synced, upTo });
  const found = index?.keys.get(item.seq);
  const hasElements = synced > 0 || (found?.chunks.length ?? 0) > 0;
  return { counts: hasElements, bytes: index?.bytes ?? 0, key: found?.key ?? null };
}

/** Writes, once in each run of an item, the record that names the key of the elements after it. */
async function writeKeyOnce(
  writer: ArchiveWriter,
  item: StoredItem,
  { channel, key, known: knownKey }: { channel: WritingChannel; key: Buffer; known: ArchivedKey | null },
): Promise<void> {
  const { look, position } = getJournal(item);
  const begins = writer.records === 0 || position === undefined;
  const type = look?.type ?? null;
  if (!begins || !isElementType(type)) return;
  // These facts are read only once, from the complete key: later it is only partly there, and other facts apply to it.
  const facts = knownKey
    ? knownKey.stream && { stream: knownKey.stream }
    : await selectDrainer(type, look?.encoding ?? null).readFacts?.(channel, key);
  writer.writeKey(buildKeyRecord(item, facts));
}

/** Builds the record that names the key of the elements after it. `facts`: what only keys of some types have. */
export function buildKeyRecord(item: StoredItem, facts: Pick<ArchivedKey, 'stream'> | undefined): ArchivedKey {
  const { look, expireAt = null } = getJournal(item);
  return {
    seq: item.seq,
    name: item.name,
    db: item.db,
    type: look?.type as ElementType,
    encoding: look?.encoding ?? null,
    length: look?.length ?? null,
    expireAt,
    archivedAt: Date.now(),
    ...facts,
  };
}

/** Limits the file to what the journal records of it. The same disk may refuse this write too. */
async function endFile(run: DeletionRun, item: StoredItem, file: string): Promise<void> {
  run.begunArchives.delete(file);
  const journal = getJournal(item);
  const countedBytes = { ...journal.countedBytes, [file]: countSyncedBytes(item) };
  await saveItem(run, item, { journal: { ...journal, countedBytes } }).catch(() => {});
}
