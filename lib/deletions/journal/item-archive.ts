import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import { type ElementChunk, isElementType } from '@/lib/model/deletions/archive';
import { drainerOf } from '@/lib/redis/drain/drainer-of';
import type { WritingChannel } from '@/lib/redis/write/types';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';
import { archiveFile } from '@/lib/vault/archive-folder';
import { type ArchiveWriter, openArchiveWriter } from '@/lib/vault/archive-writer';
import { journalOf, saveItem } from './item-journal';

/**
 * The archive of one item, open for its next elements while `act` runs. One that was begun is taken up again where its
 * last good record ends: what was removed after its last line in the journal is only there. After a failed write or
 * sync nobody knows what of that file the disk holds, whatever reading it says: the next attempt begins another.
 */
export async function withItemArchive(
  run: DeletionRun,
  item: StoredItem,
  source: { channel: WritingChannel; key: Buffer },
  act: (archive: ItemArchive) => Promise<void>,
): Promise<void> {
  const writer = await openWriter(run, item, source);
  const earlier = journalOf(item).earlierBytes ?? 0;
  try {
    await act({
      chunk: (chunk) => writer.chunk(item.seq, chunk),
      end: (elements) => writer.end({ seq: item.seq, elements }),
      sync: async () => earlier + (await writer.sync()).bytes,
      seal: () => writer.seal(),
    });
  } catch (error) {
    if (writer.failed) await beginAnother(run, item);
    throw error;
  } finally {
    await writer.close();
  }
}

export interface ItemArchive {
  chunk(chunk: ElementChunk): void;
  /** Elements of the key in all its files. */
  end(elements: number): void;
  /** Bytes of all its files, on the disk. */
  sync(): Promise<number>;
  seal(): Promise<void>;
}

async function openWriter(
  run: DeletionRun,
  item: StoredItem,
  { channel, key }: { channel: WritingChannel; key: Buffer },
): Promise<ArchiveWriter> {
  const journal = journalOf(item);
  const known = journal.archives?.at(-1);
  const file = known ?? archiveFile(item.deletionId, item.seq);
  // The name stands in the journal before the file exists: no archive is ever unknown.
  if (known === undefined) await saveItem(run, item, { journal: { ...journal, archives: [file] } });
  const writer = await openArchiveWriter({
    deletionId: item.deletionId,
    file,
    // Fewer good bytes than the journal answers for: elements that are gone from the server would be missing.
    synced: known === undefined ? 0 : item.archiveBytes - (journal.earlierBytes ?? 0),
  });
  try {
    await nameKey(writer, item, { channel, key });
  } catch (error) {
    // The server may go while it is asked; the item takes the archive up again later.
    await writer.close().catch(() => {});
    throw error;
  }
  return writer;
}

/** The first record of each run of an item says which key the elements are of. */
async function nameKey(
  writer: ArchiveWriter,
  item: StoredItem,
  { channel, key }: { channel: WritingChannel; key: Buffer },
): Promise<void> {
  const journal = journalOf(item);
  const { look } = journal;
  const begins = writer.records === 0 || journal.position === undefined;
  if (!begins || !isElementType(look?.type ?? null)) return;
  const type = look?.type as Parameters<typeof drainerOf>[0];
  const facts = await drainerOf(type, look?.encoding ?? null).facts?.(channel, key);
  writer.key({
    seq: item.seq,
    name: item.name,
    db: item.db,
    type,
    encoding: look?.encoding ?? null,
    length: look?.length ?? null,
    expireAt: journal.expireAt ?? null,
    archivedAt: Date.now(),
    ...facts,
  });
}

async function beginAnother(run: DeletionRun, item: StoredItem): Promise<void> {
  const journal = journalOf(item);
  const archives = [...(journal.archives ?? []), archiveFile(item.deletionId, item.seq)];
  // The same disk may refuse this too; the failure at hand is the one to tell.
  await saveItem(run, item, { journal: { ...journal, archives, earlierBytes: item.archiveBytes } }).catch(() => {});
}
