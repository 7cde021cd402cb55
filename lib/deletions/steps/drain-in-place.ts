import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import { TransientFailure } from '@/lib/deletions/executor/run-errors';
import { type ItemArchive, withItemArchive } from '@/lib/deletions/journal/item-archive';
import {
  clearDeadlineOnRefusal,
  createCodedMessage,
  endItem,
  getJournal,
  noteItem,
  saveItem,
  saveNoted,
} from '@/lib/deletions/journal/item-journal';
import type { ItemJournal } from '@/lib/model/deletions/item-journal';
import type { DeletionOptions } from '@/lib/model/deletions/plan-request';
import type { Drainer } from '@/lib/redis/drain/drainer';
import { removeByName } from '@/lib/redis/drain/remove-by-name';
import { isNamedType, selectDrainerByName } from '@/lib/redis/drain/select-drainer';
import { readDeadline } from '@/lib/redis/write/read-deadline';
import { readKeyFacts } from '@/lib/redis/write/read-key-facts';
import { haveScriptsDeadlines } from '@/lib/redis/write/server-time';
import type { KeyFacts, WritingChannel } from '@/lib/redis/write/types';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';
import { awaitDeadline } from './await-deadline';
import { decideTombstone } from './decide-tombstone';
import { finishItem } from './finish-item';
import { countArchived, describeMissingElements } from './judge-copy';

/** Largest reply that is requested, bytes. */
const REPLY_BYTES = 1024 * 1024;
/** After this many deletions in a row that came too late, the server gets a pause. */
const MAX_LATE_COMMANDS = 3;

/**
 * Deletes the elements of a key under its original name, for servers where renaming or scripts are denied. Each chunk
 * is archived and then deleted by name. An element written between the read and the deletion is lost, so this mode
 * requires a consent of its own. Both happen within seconds, otherwise the chunk is read again: a deletion that arrives
 * later, perhaps at a key that was created again, does nothing. The key is never deleted as a whole: it is gone with
 * its last element, or stays with what others write. However it ends, its archive lists what was deleted.
 */
export async function drainInPlace(run: DeletionRun, item: StoredItem): Promise<void> {
  const executor = run.executors.at(item.slot);
  const channel = await executor.channel(item.db);
  const { type } = item;
  // The command was sent without a deadline and was never answered. Nothing else is sent meanwhile.
  if (getJournal(item).unguarded) {
    await endItem(run, item, 'needs_review', createCodedMessage('removal_unanswered'));
    return;
  }
  await awaitDeadline(item, channel);
  const look = await readKeyFacts(channel, item.name);
  if (!isNamedType(type)) {
    await endItem(run, item, 'failed', createCodedMessage('rename_denied'));
    return;
  }
  const begun = getJournal(item).look !== undefined;
  const other = look.type !== null && look.type !== type;
  if (!begun && !(await begin(run, item, look))) return;
  const drainer = selectDrainerByName(type);
  if (!getJournal(item).archived)
    await withItemArchive(run, item, { channel, key: item.name }, async (archive) => {
      const end = async () => {
        const archived = await countArchived(item);
        archive.end(archived);
        await archive.sync();
        return archived;
      };
      // If the last element was already deleted before an interruption, or another key has the name now, only the end
      // is left to do.
      if (look.type === type)
        await drainElements(run, item, { channel, drainer, archive }).catch(async (error) => {
          await end().catch(() => {});
          await saveNoted(run, [item]).catch(() => {});
          throw error;
        });
      await saveItem(run, item, { archived: await end(), journal: { ...getJournal(item), archived: true } });
      await archive.seal();
    });
  const { archived } = item;
  const changed = other ? createCodedMessage('changed_type', { was: type, is: look.type ?? '?' }) : null;
  const short = archived < (getJournal(item).look?.length ?? 0) ? describeMissingElements(item, archived) : null;
  const reason = changed ?? short;
  if (!reason) return finishItem(run, item, true);
  const none = archived === 0 && look.type === null;
  if (none) await endItem(run, item, 'vanished', createCodedMessage('gone_before'));
  else await endItem(run, item, 'needs_review', reason);
}

/** Notes what is about to be emptied, if the key still is what the plan saw. */
async function begin(run: DeletionRun, item: StoredItem, look: KeyFacts): Promise<boolean> {
  const executor = run.executors.at(item.slot);
  const decision = decideTombstone(item, look, run.deletion.plan.options as DeletionOptions);
  if (!decision.tombstone) {
    await endItem(run, item, decision.state, decision.reason);
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

async function drainElements(
  run: DeletionRun,
  item: StoredItem,
  { channel, drainer, archive }: { channel: WritingChannel; drainer: Drainer; archive: ItemArchive },
): Promise<void> {
  const executor = run.executors.at(item.slot);
  const unpaced = await executor.openUnpaced(item.db);
  // The plan has decided, and a person has agreed to it: without scripts a late command is executed.
  const scripts = item.facts.modeReason?.code !== 'scripts_denied';
  const noteUnguarded = !scripts || !haveScriptsDeadlines(executor.node.version);
  let position = {};
  let late = 0;
  for (let end = false; !end; ) {
    const deadline = scripts ? await readDeadline(unpaced) : null;
    const { chunk, ...read } = await drainer.read(channel, item.name, position, executor.count(), REPLY_BYTES);
    if (chunk) {
      archive.chunk(chunk);
      const archiveBytes = await archive.sync();
      // This is saved before the deletion: what is deleted and not named here would not be looked for anywhere.
      await saveItem(run, item, {
        archived: item.archived + chunk.elements,
        archiveBytes,
        removed: item.removed,
        journal: {
          ...dropSentMarks(item),
          position: {},
          ...(noteUnguarded ? { unguarded: noteUnguarded } : deadline !== null && { deadline }),
          ...(chunk.expiries && { fieldExpiries: true }),
        },
      });
      const deletion = { key: item.name, chunk, deadline };
      const removed = await clearDeadlineOnRefusal(run, [item], () => removeByName(channel, deletion));
      if (removed === 'late') {
        if (++late >= MAX_LATE_COMMANDS) throw new TransientFailure({ code: 'server_busy', params: { code: 'LATE' } });
        continue;
      }
      late = 0;
      run.meter.add(removed);
      // A run that stops here saves that everything was answered.
      noteItem(item, { removed: item.removed + removed, journal: dropSentMarks(item) });
    }
    position = read.next;
    end = read.end;
  }
  await saveItem(run, item, { removed: item.removed, journal: dropSentMarks(item) });
}

/** The journal after everything that was sent has been answered. */
function dropSentMarks(item: StoredItem): ItemJournal {
  const { deadline: _, unguarded: __, ...journal } = getJournal(item);
  return journal;
}
