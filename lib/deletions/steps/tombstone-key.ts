import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import { TransientFailure } from '@/lib/deletions/executor/run-errors';
import { clearDeadlineOnRefusal, createCodedMessage, getJournal, saveItem } from '@/lib/deletions/journal/item-journal';
import { buildTombstoneName } from '@/lib/deletions/journal/item-names';
import { computeMaxBytes } from '@/lib/deletions/journal/size-limits';
import type { DeletionOptions } from '@/lib/model/deletions/plan-request';
import { checkBothNames } from '@/lib/redis/write/check-both-names';
import { compareAndRename } from '@/lib/redis/write/compare-and-rename';
import { readKeyFacts } from '@/lib/redis/write/read-key-facts';
import { haveScriptsDeadlines, IN_TIME_MS } from '@/lib/redis/write/server-time';
import { scriptDenied } from '@/lib/redis/write/write-failure';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';
import { adoptTombstone } from './adopt-tombstone';
import { decideTombstone } from './decide-tombstone';

const ATTEMPTS = 3;

/**
 * Renames one key to an internal name, if it still is what the plan saw: same type, about the same length. From then on
 * it does not exist for readers, and nobody else writes to the key that is deleted. Returns whether it is tombstoned.
 */
export async function tombstoneKey(run: DeletionRun, item: StoredItem): Promise<boolean> {
  const executor = run.executors.at(item.slot);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    await executor.rest();
    const taken = await lookAndRename(run, item);
    await executor.rest();
    if (taken !== 'late') return taken;
  }
  throw new TransientFailure({ code: 'server_busy', params: { code: 'LATE' } });
}

/** Reads the facts and renames without a rest in between: the server has a few seconds from one to the other. */
async function lookAndRename(run: DeletionRun, item: StoredItem): Promise<boolean | 'late'> {
  const options = run.deletion.plan.options as DeletionOptions;
  const executor = run.executors.at(item.slot);
  const channel = await executor.openUnpaced(item.db);
  const look = await readKeyFacts(channel, item.name);
  const ended = { endedAt: Date.now() };
  const before = item.journal;
  const decision = decideTombstone(item, look, options);
  if (!decision.tombstone) {
    // A rename that was sent long ago may have been carried out late.
    const late =
      decision.state === 'vanished' &&
      (await checkBothNames(channel, item.name, buildTombstoneName(item))).tombstone === true;
    if (late) {
      await adoptTombstone(run, item, false);
      return item.state === 'tombstoned';
    }
    await saveItem(run, item, { state: decision.state, reason: decision.reason, ...ended });
    return false;
  }
  const { type } = decision.facts;
  if (look.at === null) throw scriptDenied();
  const deadline = look.at + IN_TIME_MS;
  await saveItem(run, item, {
    startedAt: item.startedAt ?? Date.now(),
    reason: null,
    journal: {
      ...getJournal(item),
      intent: true,
      deadline,
      ...(!haveScriptsDeadlines(executor.node.version) && { unguarded: true }),
      address: executor.address,
      runId: executor.node.runId,
      look: { type, encoding: look.encoding, length: look.length, bytes: look.bytes },
      expireAt: look.expireAt,
    },
  });
  const away = {
    name: item.name,
    tombstone: buildTombstoneName(item),
    type,
    length: look.length,
    tolerancePercent: options.tolerancePercent,
    maxBytes: computeMaxBytes(item, look, options.tolerancePercent),
    deadline,
  };
  const renamed = await clearDeadlineOnRefusal(run, [item], () => compareAndRename(channel, away));
  if (renamed.outcome === 'late') {
    await saveItem(run, item, { journal: before });
    return 'late';
  }
  if (renamed.outcome === 'taken') {
    // Both names exist: an earlier attempt of Colonnade succeeded and the application created the key again. The facts
    // just read are of that new key; the notes from before are of the other.
    await saveItem(run, item, { journal: before });
    await adoptTombstone(run, item, true);
    return item.state === 'tombstoned';
  }
  if (renamed.outcome !== 'renamed') {
    const changed = renamed.outcome === 'changed';
    await saveItem(run, item, {
      state: changed ? 'aborted' : 'vanished',
      reason: createCodedMessage(changed ? 'changed_meanwhile' : 'gone_before'),
      journal: null,
      ...ended,
    });
    return false;
  }
  const journal = getJournal(item);
  const length = renamed.length ?? look.length;
  await saveItem(run, item, {
    state: 'tombstoned',
    journal: {
      ...journal,
      look: {
        ...journal.look,
        type,
        encoding: look.encoding,
        length,
        bytes: look.bytes,
      },
      expireAt: renamed.expireAt,
    },
  });
  return true;
}
