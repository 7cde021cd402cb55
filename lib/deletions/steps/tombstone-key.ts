import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import type { NodeExecutor } from '@/lib/deletions/executor/node-executor';
import { TransientFailure } from '@/lib/deletions/executor/run-errors';
import { buildTombstoneName } from '@/lib/deletions/journal/item-names';
import { computeMaxBytes } from '@/lib/deletions/journal/size-limits';
import {
  clearDeadlineOnRefusal,
  createCodedMessage,
  endItem,
  getJournal,
  saveItem,
} from '@/lib/deletions/journal/write-journal';
import type { ItemJournal } from '@/lib/model/deletions/item-journal';
import type { DeletionOptions } from '@/lib/model/deletions/plan-request';
import { checkBothNames } from '@/lib/redis/write/check-both-names';
import { compareAndRename, type RenameRequest } from '@/lib/redis/write/compare-and-rename';
import { readKeyFacts } from '@/lib/redis/write/read-key-facts';
import { haveScriptsDeadlines, IN_TIME_MS } from '@/lib/redis/write/server-time';
import type { KeyFacts } from '@/lib/redis/write/types';
import { scriptDenied } from '@/lib/redis/write/write-failure';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';
import { adoptTombstone } from './adopt-tombstone';
import { decideTombstone } from './decide-tombstone';

/** How often a rename is tried when it reaches the server after its deadline. */
const MAX_ATTEMPTS = 3;

/**
 * Renames one key to an internal name, if it still is what the plan saw: same type, about the same length. From then on
 * it does not exist for readers, and nobody else writes to the key that is deleted. Returns whether it is tombstoned.
 */
export async function tombstoneKey(run: DeletionRun, item: StoredItem): Promise<boolean> {
  const executor = run.executors.getForSlot(item.slot);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    await executor.rest();
    const isTombstoned = await readAndRename(run, item);
    await executor.rest();
    if (isTombstoned !== 'late') return isTombstoned;
  }
  throw new TransientFailure({ code: 'server_busy', params: { code: 'LATE' } });
}

/** Reads the facts and renames without a rest in between: the server has a few seconds from one to the other. */
async function readAndRename(run: DeletionRun, item: StoredItem): Promise<boolean | 'late'> {
  const options = run.deletion.plan.options as DeletionOptions;
  const executor = run.executors.getForSlot(item.slot);
  const channel = await executor.openUnpaced(item.db);
  const current = await readKeyFacts(channel, item.name);
  const journalBefore = item.journal;
  const decision = decideTombstone(item, current, options);
  if (!decision.mayTombstone) {
    // A rename that was sent long ago may have been carried out late.
    const isRenamedLate =
      decision.state === 'vanished' && (await checkBothNames(channel, item.name, buildTombstoneName(item))).tombstone;
    if (isRenamedLate) {
      await adoptTombstone(run, item, { isRecreated: false });
      return item.state === 'tombstoned';
    }
    await endItem(run, item, decision.state, decision.reason);
    return false;
  }
  if (current.at === null) throw scriptDenied();
  const deadline = current.at + IN_TIME_MS;
  await saveItem(run, item, {
    startedAt: item.startedAt ?? Date.now(),
    reason: null,
    journal: { ...getJournal(item), ...buildRenameJournal(executor, decision.facts, deadline) },
  });
  const request = buildRenameRequest(item, decision.facts, options.tolerancePercent, deadline);
  const result = await clearDeadlineOnRefusal(run, [item], () => compareAndRename(channel, request));
  if (result.outcome === 'late') {
    await saveItem(run, item, { journal: journalBefore });
    return 'late';
  }
  if (result.outcome === 'taken') {
    // Both names exist: an earlier attempt of Colonnade succeeded and the application created the key again. The facts
    // just read are of that new key; the notes from before are of the other.
    await saveItem(run, item, { journal: journalBefore });
    await adoptTombstone(run, item, { isRecreated: true });
    return item.state === 'tombstoned';
  }
  if (result.outcome !== 'renamed') {
    const hasChanged = result.outcome === 'changed';
    await saveItem(run, item, {
      state: hasChanged ? 'aborted' : 'vanished',
      reason: createCodedMessage(hasChanged ? 'changed_meanwhile' : 'gone_before'),
      journal: null,
      endedAt: Date.now(),
    });
    return false;
  }
  const { type, encoding, bytes } = decision.facts;
  // The length at the rename counts: the application may have written since the facts were read.
  const length = result.length ?? current.length;
  await saveItem(run, item, {
    state: 'tombstoned',
    journal: { ...getJournal(item), look: { type, encoding, length, bytes }, expireAt: result.expireAt },
  });
  return true;
}

type TypedFacts = KeyFacts & { type: string };

/** Builds what the journal records before a rename is sent. */
export const buildRenameJournal = (
  { address, node }: NodeExecutor,
  { type, encoding, length, bytes, expireAt }: TypedFacts,
  deadline: number,
): ItemJournal => ({
  intent: true,
  deadline,
  ...(!haveScriptsDeadlines(node.version) && { unguarded: true }),
  address,
  runId: node.runId,
  look: { type, encoding, length, bytes },
  expireAt,
});

export const buildRenameRequest = (
  item: StoredItem,
  current: TypedFacts,
  tolerancePercent: number,
  deadline: number,
): RenameRequest => ({
  name: item.name,
  tombstone: buildTombstoneName(item),
  type: current.type,
  length: current.length,
  tolerancePercent,
  maxBytes: computeMaxBytes(item, current, tolerancePercent),
  deadline,
});
