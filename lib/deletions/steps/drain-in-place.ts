import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import { TransientFailure } from '@/lib/deletions/executor/run-errors';
import { type ItemArchive, withItemArchive } from '@/lib/deletions/journal/item-archive';
import { clearDeadlineOnRefusal, codedMessage, journalOf, saveItem } from '@/lib/deletions/journal/item-journal';
import type { ItemJournal } from '@/lib/model/deletions/item-journal';
import type { DeletionOptions } from '@/lib/model/deletions/plan-request';
import type { Drainer } from '@/lib/redis/drain/drainer';
import { drainerByName, isNamedType } from '@/lib/redis/drain/drainer-of';
import { removeByName } from '@/lib/redis/drain/remove-by-name';
import { readServerTime } from '@/lib/redis/info/server-clock';
import { readKeyFacts } from '@/lib/redis/write/read-key-facts';
import { IN_TIME_MS } from '@/lib/redis/write/server-time';
import type { KeyFacts, WritingChannel } from '@/lib/redis/write/types';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';
import { awaitDeadline } from './await-deadline';
import { decideTombstone } from './decide-tombstone';
import { finishItem } from './finish-item';
import { countArchived, missingElementsReason } from './judge-copy';

/** Largest reply asked for. */
const REPLY_BYTES = 1024 * 1024;
/** A server that is too slow for so many deletions in a row is left alone for a while. */
const MAX_LATE_COMMANDS = 3;

/**
 * The one way that works on the living key, for servers where renaming is denied. Each chunk is archived and then
 * removed by name; an element written between our reading and our deletion is lost, which is why it has a consent of
 * its own. Both happen within seconds or the chunk is read again: a deletion that arrives later than that, perhaps at a
 * key that was made anew, does nothing. The key is never removed as a whole: it goes with its last element, or stays
 * with what others write. However it ends, its archive says what was taken out of it.
 */
export async function drainInPlace(run: DeletionRun, item: StoredItem): Promise<void> {
  const executor = run.executors.at(item.slot);
  const channel = await executor.channel(item.db);
  const { type } = item;
  // Sent where neither script nor transaction is allowed, and never answered. Nothing is sent beside it.
  if (journalOf(item).unguarded) {
    const reason = codedMessage('removal_unanswered');
    await saveItem(run, item, { state: 'needs_review', reason, endedAt: Date.now() });
    return;
  }
  await awaitDeadline(item, channel);
  const look = await readKeyFacts(channel, item.name);
  if (!isNamedType(type)) {
    await saveItem(run, item, { state: 'failed', reason: codedMessage('rename_denied'), endedAt: Date.now() });
    return;
  }
  const begun = journalOf(item).look !== undefined;
  const other = look.type !== null && look.type !== type;
  if (!begun && !(await begin(run, item, look))) return;
  const drainer = drainerByName(type);
  if (!journalOf(item).archived)
    await withItemArchive(run, item, { channel, key: item.name }, async (archive) => {
      const end = async () => {
        const archived = await countArchived(item);
        archive.end(archived);
        await archive.sync();
        return archived;
      };
      // Cut off after the last element was taken out, or another key stands in its place: what is left to do is to end.
      if (look.type === type)
        await empty(run, item, { channel, drainer, archive }).catch(async (error) => {
          await end().catch(() => {});
          throw error;
        });
      await saveItem(run, item, { archived: await end(), journal: { ...journalOf(item), archived: true } });
      await archive.seal();
    });
  const { archived } = item;
  const changed = other ? codedMessage('changed_type', { was: type, is: look.type ?? '?' }) : null;
  const short = archived < (journalOf(item).look?.length ?? 0) ? missingElementsReason(item, archived) : null;
  const reason = changed ?? short;
  if (!reason) return finishItem(run, item, true);
  const none = archived === 0 && look.type === null;
  await saveItem(run, item, {
    state: none ? 'vanished' : 'needs_review',
    reason: none ? codedMessage('gone_before') : reason,
    endedAt: Date.now(),
  });
}

/** Notes what is about to be emptied, if it still is what the plan saw. */
async function begin(run: DeletionRun, item: StoredItem, look: KeyFacts): Promise<boolean> {
  const executor = run.executors.at(item.slot);
  const decision = decideTombstone(item, look, run.deletion.plan.options as DeletionOptions);
  if (!decision.tombstone) {
    await saveItem(run, item, { state: decision.state, reason: decision.reason, endedAt: Date.now() });
    return false;
  }
  await saveItem(run, item, {
    state: 'draining',
    startedAt: Date.now(),
    journal: {
      address: executor.address,
      runId: executor.node.runId,
      look: { type: decision.facts.type, encoding: look.encoding, length: look.length, bytes: look.bytes },
      expireAt: look.expireAt,
    },
  });
  return true;
}

async function empty(
  run: DeletionRun,
  item: StoredItem,
  { channel, drainer, archive }: { channel: WritingChannel; drainer: Drainer; archive: ItemArchive },
): Promise<void> {
  const executor = run.executors.at(item.slot);
  const clock = await executor.unpaced(item.db);
  let position = {};
  let late = 0;
  for (let end = false; !end; ) {
    const now = await readServerTime(clock);
    const deadline = now === null ? null : now + IN_TIME_MS;
    const { chunk, ...read } = await drainer.read(channel, item.name, position, executor.count(), REPLY_BYTES);
    if (chunk) {
      archive.chunk(chunk);
      const archiveBytes = await archive.sync();
      // Before it goes: what is gone and not named here would be looked for nowhere.
      await saveItem(run, item, {
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
      const unguarded = () => saveItem(run, item, { journal: { ...journalOf(item), unguarded: true } });
      const deletion = { key: item.name, chunk, deadline, unguarded };
      const removed = await clearDeadlineOnRefusal(run, [item], () => removeByName(channel, deletion));
      if (removed === 'late') {
        if (++late >= MAX_LATE_COMMANDS) throw new TransientFailure({ code: 'server_busy', params: { code: 'LATE' } });
        continue;
      }
      late = 0;
      run.meter.add(removed);
      item.removed += removed;
    }
    position = read.next;
    end = read.end;
  }
  await saveItem(run, item, { removed: item.removed, journal: settled(item) });
}

/** Everything that was sent has been answered. */
function settled(item: StoredItem): ItemJournal {
  const { deadline: _, unguarded: __, ...journal } = journalOf(item);
  return journal;
}
