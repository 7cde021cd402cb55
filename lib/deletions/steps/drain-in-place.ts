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
  saveNotedPatches,
} from '@/lib/deletions/journal/write-journal';
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
  const executor = run.executors.getForSlot(item.slot);
  const channel = await executor.openPaced(item.db);
  const { type } = item;
  // The command was sent without a deadline and was never answered. Nothing else is sent meanwhile.
  if (getJournal(item).unguarded) {
    await endItem(run, item, 'needs_review', createCodedMessage('removal_unanswered'));
    return;
  }
  await awaitDeadline(item, channel);
  const current = await readKeyFacts(channel, item.name);
  if (!isNamedType(type)) {
    await endItem(run, item, 'failed', createCodedMessage('rename_denied'));
    return;
  }
  const hasBegun = getJournal(item).look !== undefined;
  const isOtherType = current.type !== null && current.type !== type;
  if (!hasBegun && !(await beginDrain(run, item, current))) return;
  const drainer = selectDrainerByName(type);
  if (!getJournal(item).archived)
    await withItemArchive(run, item, { channel, key: item.name }, async (archive) => {
      const endArchive = async () => {
        const archived = await countArchived(item);
        archive.writeEnd(archived);
        await archive.sync();
        return archived;
      };
      // If the last element was already deleted before an interruption, or another key has the name now, only the end
      // is left to do.
      if (current.type === type)
        await drainElements(run, item, { channel, drainer, archive }).catch(async (error) => {
          await endArchive().catch(() => {});
          await saveNotedPatches(run, [item]).catch(() => {});
          throw error;
        });
      await saveItem(run, item, { archived: await endArchive(), journal: { ...getJournal(item), archived: true } });
      await archive.seal();
    });
  const { archived } = item;
  const changeReason = isOtherType ? createCodedMessage('changed_type', { was: type, is: current.type ?? '?' }) : null;
  const missingReason =
    archived < (getJournal(item).look?.length ?? 0) ? describeMissingElements(item, archived) : null;
  const reason = changeReason ?? missingReason;
  if (!reason) return finishItem(run, item, { isArchived: true });
  const wasGoneBefore = archived === 0 && current.type === null;
  if (wasGoneBefore) await endItem(run, item, 'vanished', createCodedMessage('gone_before'));
  else await endItem(run, item, 'needs_review', reason);
}

/** Records the facts of the key before its first element is deleted, if the key still is what the plan saw. */
async function beginDrain(run: DeletionRun, item: StoredItem, current: KeyFacts): Promise<boolean> {
  const executor = run.executors.getForSlot(item.slot);
  const decision = decideTombstone(item, current, run.deletion.plan.options as DeletionOptions);
  if (!decision.mayTombstone) {
    await endItem(run, item, decision.state, decision.reason);
    return false;
  }
  await saveItem(run, item, {
    state: 'draining',
    startedAt: Date.now(),
    journal: {
      address: executor.address,
      runId: executor.node.runId,
      look: { type: decision.facts.type, encoding: current.encoding, length: current.length, bytes: current.bytes },
      expireAt: current.expireAt,
    },
  });
  return true;
}

async function drainElements(
  run: DeletionRun,
  item: StoredItem,
  { channel, drainer, archive }: { channel: WritingChannel; drainer: Drainer; archive: ItemArchive },
): Promise<void> {
  const executor = run.executors.getForSlot(item.slot);
  const unpaced = await executor.openUnpaced(item.db);
  // The plan has decided, and a person has agreed to it: without scripts a late command is executed.
  const hasScripts = item.facts.modeReason?.code !== 'scripts_denied';
  const isUnguarded = !hasScripts || !haveScriptsDeadlines(executor.node.version);
  let position = {};
  let lateInARow = 0;
  for (let hasEnded = false; !hasEnded; ) {
    const deadline = hasScripts ? await readDeadline(unpaced) : null;
    const { chunk, ...page } = await drainer.read(channel, item.name, position, executor.getChunkSize(), REPLY_BYTES);
    if (chunk) {
      archive.writeChunk(chunk);
      const archiveBytes = await archive.sync();
      // This is saved before the deletion: what is deleted and not named here would not be looked for anywhere.
      await saveItem(run, item, {
        archived: item.archived + chunk.elements,
        archiveBytes,
        removed: item.removed,
        journal: {
          ...dropSentMarks(item),
          position: {},
          ...(isUnguarded ? { unguarded: isUnguarded } : deadline !== null && { deadline }),
          ...(chunk.expiries && { fieldExpiries: true }),
        },
      });
      const deletion = { key: item.name, chunk, deadline };
      const removedElements = await clearDeadlineOnRefusal(run, [item], () => removeByName(channel, deletion));
      if (removedElements === 'late') {
        if (++lateInARow >= MAX_LATE_COMMANDS)
          throw new TransientFailure({ code: 'server_busy', params: { code: 'LATE' } });
        continue;
      }
      lateInARow = 0;
      run.meter.addDone(removedElements);
      // A run that stops here saves that everything was answered.
      noteItem(item, { removed: item.removed + removedElements, journal: dropSentMarks(item) });
    }
    position = page.next;
    hasEnded = page.end;
  }
  await saveItem(run, item, { removed: item.removed, journal: dropSentMarks(item) });
}

/** Returns the journal without the marks of a command that was sent and is answered now. */
function dropSentMarks(item: StoredItem): ItemJournal {
  const { deadline: _, unguarded: __, ...journal } = getJournal(item);
  return journal;
}
