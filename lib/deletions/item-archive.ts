import { isElementType } from '@/lib/model/archive';
import type { WritingChannel } from '@/lib/redis/deletion-types';
import { drainerOf } from '@/lib/redis/drain';
import type { StoredItem } from '@/lib/store/deletion-items';
import { archiveFile } from '@/lib/vault/archive-folder';
import { type ArchiveWriter, openArchiveWriter } from '@/lib/vault/archive-writer';
import { journalOf, saveItem } from './item-journal';
import type { Work } from './work';

/**
 * The archive of one item, ready for its next elements. An archive that was begun is taken up again where its last good
 * record ends: what was removed after its last line in the journal is only there.
 */
export async function openItemArchive(
  work: Work,
  item: StoredItem,
  channel: WritingChannel,
  key: Buffer,
): Promise<ArchiveWriter> {
  const journal = journalOf(item);
  const { look } = journal;
  const known = journal.archives?.at(-1);
  const file = known ?? archiveFile(item.deletionId, item.seq);
  // The name stands in the journal before the file exists: no archive is ever unknown.
  if (known === undefined) await saveItem(work, item, { journal: { ...journal, archives: [file] } });
  const writer = await openArchiveWriter({
    deletionId: item.deletionId,
    file,
    // Fewer good bytes than the journal answers for: elements that are gone from the server would be missing.
    synced: known === undefined ? 0 : item.archiveBytes,
  });
  if (journal.position === undefined && isElementType(look?.type ?? null)) {
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
  return writer;
}
