import type { DeletionOptions } from '@/lib/model/deletion';
import { drainerByName, isNamedType } from '@/lib/redis/drain';
import { lookAtKey } from '@/lib/redis/look-at-key';
import type { StoredItem } from '@/lib/store/deletion-items';
import { changeOf } from './change-of';
import { finishItem } from './finish-item';
import { withItemArchive } from './item-archive';
import { journalOf, saveItem, told } from './item-journal';
import type { Work } from './work';

/**
 * The one way that works on the living key, for servers where renaming is denied. Each chunk is archived and then
 * removed by name; an element written between our reading and our removal is lost, which is why it has a consent of its
 * own. The key is never removed as a whole: it goes with its last element, or stays with what others write.
 */
export async function drainInPlace(work: Work, item: StoredItem): Promise<void> {
  const desk = work.desks.at(item.slot);
  const channel = await desk.channel(item.db);
  const look = await lookAtKey(channel, item.name);
  const { type } = item;
  if (!isNamedType(type)) {
    await saveItem(work, item, { state: 'failed', reason: told('rename_denied'), endedAt: Date.now() });
    return;
  }
  if (look.type === null || look.type !== type) {
    const done = look.type === null && item.state === 'draining';
    if (done) return finishItem(work, item, true);
    await saveItem(work, item, {
      state: look.type === null ? 'vanished' : 'aborted',
      reason: look.type === null ? told('gone_before') : told('changed_type', { was: type, is: look.type }),
      endedAt: Date.now(),
    });
    return;
  }
  if (!journalOf(item).look) {
    const { tolerancePercent } = work.deletion.plan.options as DeletionOptions;
    const change = changeOf(item, look, tolerancePercent);
    if (change) return saveItem(work, item, { state: 'aborted', reason: change, endedAt: Date.now() });
    await saveItem(work, item, {
      state: 'draining',
      startedAt: Date.now(),
      journal: {
        address: desk.address,
        runId: desk.node.runId,
        look: { type, encoding: look.encoding, length: look.length, bytes: look.bytes },
        expireAt: look.expireAt,
      },
    });
  }
  const drainer = drainerByName(type);
  await withItemArchive(work, item, { channel, key: item.name }, async (archive) => {
    let position = {};
    for (let end = false; !end; ) {
      const read = await drainer.read(channel, item.name, position, desk.count(), 1024 * 1024);
      position = read.next;
      end = read.end;
      if (!read.chunk) continue;
      archive.chunk(read.chunk);
      const archiveBytes = await archive.sync();
      const removed = await drainer.remove(channel, item.name, read.chunk);
      work.meter.add(removed);
      await saveItem(work, item, {
        archived: item.archived + read.chunk.elements,
        archiveBytes,
        removed: item.removed + removed,
        journal: { ...journalOf(item), position: {} },
      });
    }
    archive.end(item.archived);
    await archive.sync();
    await archive.seal();
  });
  await finishItem(work, item, true);
}
