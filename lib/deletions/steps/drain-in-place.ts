import type { Work } from '@/lib/deletions/executor/deletion-run';
import { TryLater } from '@/lib/deletions/executor/stop-errors';
import { changeOf } from '@/lib/deletions/journal/change-of';
import { type ItemArchive, withItemArchive } from '@/lib/deletions/journal/item-archive';
import { answered, type ItemJournal, journalOf, saveItem, told } from '@/lib/deletions/journal/item-journal';
import type { DeletionOptions } from '@/lib/model/deletion';
import { drainerByName, isNamedType } from '@/lib/redis/drain/drain';
import type { Drainer } from '@/lib/redis/drain/drainer';
import { removeByName } from '@/lib/redis/drain/remove-by-name';
import { lookAtKey } from '@/lib/redis/write/read-key-facts';
import { IN_TIME_MS, readServerTime } from '@/lib/redis/write/server-time';
import type { KeyLook, WritingChannel } from '@/lib/redis/write/types';
import type { StoredItem } from '@/lib/store/deletion-items';
import { awaitDeadline } from './await-deadline';
import { finishItem } from './finish-item';
import { countArchived, shortReason } from './judge-copy';

/** Largest reply asked for. */
const REPLY_BYTES = 1024 * 1024;
/** A server that is too slow for so many removals in a row is left alone for a while. */
const LATE_REMOVALS = 3;

/**
 * The one way that works on the living key, for servers where renaming is denied. Each chunk is archived and then
 * removed by name; an element written between our reading and our removal is lost, which is why it has a consent of its
 * own. Both happen within seconds or the chunk is read again: a removal that arrives later than that, perhaps at a key
 * that was made anew, does nothing. The key is never removed as a whole: it goes with its last element, or stays with
 * what others write. However it ends, its archive says what was taken out of it.
 */
export async function drainInPlace(work: Work, item: StoredItem): Promise<void> {
  const desk = work.desks.at(item.slot);
  const channel = await desk.channel(item.db);
  const { type } = item;
  // Sent where neither script nor transaction is allowed, and never answered. Nothing is sent beside it.
  if (journalOf(item).unguarded) {
    const reason = told('removal_unanswered');
    await saveItem(work, item, { state: 'needs_review', reason, endedAt: Date.now() });
    return;
  }
  await awaitDeadline(item, channel);
  const look = await lookAtKey(channel, item.name);
  if (!isNamedType(type)) {
    await saveItem(work, item, { state: 'failed', reason: told('rename_denied'), endedAt: Date.now() });
    return;
  }
  const begun = journalOf(item).look !== undefined;
  const other = look.type !== null && look.type !== type;
  if (!begun && !(await begin(work, item, look))) return;
  const drainer = drainerByName(type);
  if (!journalOf(item).archived)
    await withItemArchive(work, item, { channel, key: item.name }, async (archive) => {
      const end = async () => {
        const archived = await countArchived(item);
        archive.end(archived);
        await archive.sync();
        return archived;
      };
      // Cut off after the last element was taken out, or another key stands in its place: what is left to do is to end.
      if (look.type === type)
        await empty(work, item, { channel, drainer, archive }).catch(async (error) => {
          await end().catch(() => {});
          throw error;
        });
      await saveItem(work, item, { archived: await end(), journal: { ...journalOf(item), archived: true } });
      await archive.seal();
    });
  const { archived } = item;
  const changed = other ? told('changed_type', { was: type, is: look.type ?? '?' }) : null;
  const short = archived < (journalOf(item).look?.length ?? 0) ? shortReason(item, archived) : null;
  const reason = changed ?? short;
  if (!reason) return finishItem(work, item, true);
  const none = archived === 0 && look.type === null;
  await saveItem(work, item, {
    state: none ? 'vanished' : 'needs_review',
    reason: none ? told('gone_before') : reason,
    endedAt: Date.now(),
  });
}

/** Notes what is about to be emptied, if it still is what the plan saw. */
async function begin(work: Work, item: StoredItem, look: KeyLook): Promise<boolean> {
  const desk = work.desks.at(item.slot);
  const { tolerancePercent } = work.deletion.plan.options as DeletionOptions;
  const gone = look.type === null;
  const change = gone ? told('gone_before') : changeOf(item, look, tolerancePercent);
  if (change || look.type === null) {
    await saveItem(work, item, { state: gone ? 'vanished' : 'aborted', reason: change, endedAt: Date.now() });
    return false;
  }
  await saveItem(work, item, {
    state: 'draining',
    startedAt: Date.now(),
    journal: {
      address: desk.address,
      runId: desk.node.runId,
      look: { type: look.type, encoding: look.encoding, length: look.length, bytes: look.bytes },
      expireAt: look.expireAt,
    },
  });
  return true;
}

async function empty(
  work: Work,
  item: StoredItem,
  { channel, drainer, archive }: { channel: WritingChannel; drainer: Drainer; archive: ItemArchive },
): Promise<void> {
  const desk = work.desks.at(item.slot);
  const clock = await desk.unpaced(item.db);
  let position = {};
  let late = 0;
  for (let end = false; !end; ) {
    const now = await readServerTime(clock);
    const deadline = now === null ? null : now + IN_TIME_MS;
    const { chunk, ...read } = await drainer.read(channel, item.name, position, desk.count(), REPLY_BYTES);
    if (chunk) {
      archive.chunk(chunk);
      const archiveBytes = await archive.sync();
      // Before it goes: what is gone and not named here would be looked for nowhere.
      await saveItem(work, item, {
        archived: item.archived + chunk.elements,
        archiveBytes,
        removed: item.removed,
        journal: {
          ...settled(item),
          position: {},
          ...(deadline !== null && { deadline }),
          ...(chunk.expiries && { fieldExpiries: true }),
        },
      });
      const unguarded = () => saveItem(work, item, { journal: { ...journalOf(item), unguarded: true } });
      const removal = { key: item.name, chunk, deadline, unguarded };
      const removed = await answered(work, [item], () => removeByName(channel, removal));
      if (removed === 'late') {
        if (++late >= LATE_REMOVALS) throw new TryLater({ code: 'server_busy', params: { code: 'LATE' } });
        continue;
      }
      late = 0;
      work.meter.add(removed);
      item.removed += removed;
    }
    position = read.next;
    end = read.end;
  }
  await saveItem(work, item, { removed: item.removed, journal: settled(item) });
}

/** Everything that was sent has been answered. */
function settled(item: StoredItem): ItemJournal {
  const { deadline: _, unguarded: __, ...journal } = journalOf(item);
  return journal;
}
