import { expireBatch, undoExpireBatch } from '@/lib/deletions/batches/expire-batch';
import { drainQuarantined, endQuarantine, isQuarantinedWhole } from '@/lib/deletions/batches/quarantine-batch';
import { removeBatch } from '@/lib/deletions/batches/remove-batch';
import { canRestoreInBatch, restoreBatch } from '@/lib/deletions/batches/restore-batch';
import { isSmall } from '@/lib/deletions/batches/small-key';
import { canUndoInBatch, undoBatch } from '@/lib/deletions/batches/undo-batch';
import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import type { NodeExecutors } from '@/lib/deletions/executor/node-executors';
import { getJournal } from '@/lib/deletions/journal/item-journal';
import { awaitReplicas } from '@/lib/deletions/steps/await-replicas';
import { hasBegunElsewhere } from '@/lib/deletions/steps/has-begun-elsewhere';
import { reconcileItem } from '@/lib/deletions/steps/reconcile-item';
import { emptyTombstone, removeItem } from '@/lib/deletions/steps/remove-item';
import type { RunArchive } from '@/lib/deletions/steps/run-archive';
import { tombstoneKey } from '@/lib/deletions/steps/tombstone-key';
import { undoItem } from '@/lib/deletions/undo/undo-item';
import type { ItemState } from '@/lib/model/deletions/item-states';
import type { DeletionOptions } from '@/lib/model/deletions/plan-request';
import type { StoredItem, WalkedState } from '@/lib/store/deletions/deletion-items';
import { readObservedNow } from '@/lib/store/settings/observed-clock';
import { stepOrFail, walkItems } from './walk-items';

/**
 * Limits of one batch. The server answers each of its few writes 16 KiB at a time, with other commands in between; the
 * journal and the archive are synced once per batch. A slower speed takes smaller batches.
 */
const MAX_KEYS = 500;
const MAX_BYTES = 1024 * 1024;

/** Groups items that may be in one batch: same node, database and mode, in the order of the plan. */
function groupItems(
  items: readonly StoredItem[],
  executors: NodeExecutors,
  max: { keys?: number } = {},
): StoredItem[][] {
  const open = new Map<string, { items: StoredItem[]; bytes: number }>();
  const groups: StoredItem[][] = [];
  for (const item of items) {
    const executor = executors.at(item.slot);
    const keys = max.keys ?? Math.min(MAX_KEYS, executor.throttle.burst?.keys ?? MAX_KEYS);
    const bytes = item.facts.bytes ?? 0;
    const place = `${executor.address}/${item.db}/${item.mode}`;
    let group = open.get(place);
    if (!group || group.items.length >= keys || group.bytes + bytes > MAX_BYTES) {
      group = { items: [], bytes: 0 };
      open.set(place, group);
      groups.push(group.items);
    }
    group.items.push(item);
    group.bytes += bytes;
  }
  return groups;
}

/**
 * Passed to `stepOrFail` for a batch whose items are handled one by one afterwards: if the batch fails for one key,
 * that key reports its reason then.
 */
const leaveForLater = async () => {};

export type Action =
  | { kind: 'run' }
  | { kind: 'purge' }
  | { kind: 'undo'; items: number[] | null; restoreExpired: boolean };

/** How many expiries one batch sets. */
const EXPIRE_KEYS = 100;
/** The states of items that a batch has left for later. */
const LEFT_BY_BATCH = new Set<ItemState>(['planned', 'tombstoned']);
const UNDO_STATES: WalkedState[] = [
  'begun',
  'done',
  'draining',
  'tombstoned',
  'quarantined',
  'restoring',
  'needs_review',
  'given_up',
];

/** Handles all items of one action once. `moved` is called whenever something was done. */
export async function actOnItems(
  run: DeletionRun,
  action: Action,
  archive: RunArchive,
  moved: () => void,
): Promise<void> {
  if (action.kind === 'undo') return undoItems(run, action, moved);
  if (run.deletion.plan.task === 'expire') return expireItems(run, moved);
  if (action.kind === 'purge') return purgeItems(run, archive, moved);
  await settleBegun(run, moved);
  await tombstoneUrgent(run, moved);
  for await (const page of walkItems(run, ['planned', 'tombstoned', 'draining'])) {
    const fresh = page.filter((item) => item.state === 'planned');
    const small = fresh.filter(isSmall);
    for (const group of groupItems(small, run.executors)) {
      const batch = () => removeBatch(run, group, archive);
      await stepOrFail(run, group, batch, (item) => removeItem(run, item));
      moved();
    }
    // Batches that were interrupted are put together again, into one archive.
    const tombstoned = page.filter(
      (item) => item.state === 'tombstoned' && item.mode !== 'quarantine' && isQuarantinedWhole(item),
    );
    for (const group of groupItems(tombstoned, run.executors)) {
      await stepOrFail(run, group, () => drainQuarantined(run, group, archive), leaveForLater);
      moved();
    }
    // A batch leaves a small key open if it turned out to be large, or if its tombstone existed already.
    const inBatch = new Set([...small, ...tombstoned]);
    for (const item of page) {
      if (inBatch.has(item) && !LEFT_BY_BATCH.has(item.state)) continue;
      await stepOrFail(run, [item], () => removeItem(run, item));
      moved();
    }
  }
}

/** Checks on the server where every begun item is, before any new command is sent. */
async function settleBegun(run: DeletionRun, moved: () => void): Promise<void> {
  for await (const page of walkItems(run, ['begun', 'tombstoned', 'draining']))
    for (const item of page) {
      if (item.state === 'planned' && !getJournal(item).intent) continue;
      await stepOrFail(run, [item], () => reconcileItem(run, item));
      moved();
    }
}

/** Tombstones first the keys whose expiry would block the server, before they expire. */
async function tombstoneUrgent(run: DeletionRun, moved: () => void): Promise<void> {
  for await (const page of walkItems(run, ['urgent'])) {
    const urgent = page
      .filter((item) => item.mode !== 'in_place')
      .sort((a, b) => (a.facts.expireAt ?? 0) - (b.facts.expireAt ?? 0));
    for (const item of urgent) {
      await stepOrFail(run, [item], async () => void (await tombstoneKey(run, item)));
      moved();
    }
  }
}

async function purgeItems(run: DeletionRun, archive: RunArchive, moved: () => void): Promise<void> {
  const { afterQuarantine } = run.deletion.plan.options as DeletionOptions;
  for await (const page of walkItems(run, ['quarantined', 'tombstoned', 'draining'])) {
    const now = await readObservedNow();
    const due = page.filter((item) => (getJournal(item).purgeAt ?? Number.POSITIVE_INFINITY) <= now);
    await endQuarantine(run, due, afterQuarantine);
    const here = due.filter((item) => isQuarantinedWhole(item) && !hasBegunElsewhere(run, item));
    for (const group of groupItems(here, run.executors)) {
      await stepOrFail(run, group, () => drainQuarantined(run, group, archive), leaveForLater);
      moved();
    }
    for (const item of due) {
      // The item is done, or has the reason why not.
      if (item.state !== 'tombstoned' && item.state !== 'draining') continue;
      await stepOrFail(run, [item], () => purgeItem(run, item));
      moved();
    }
  }
}

async function expireItems(run: DeletionRun, moved: () => void): Promise<void> {
  for await (const page of walkItems(run, ['planned']))
    for (const group of groupItems(page, run.executors, { keys: EXPIRE_KEYS })) {
      const batch = () => expireBatch(run, group);
      await stepOrFail(run, group, batch, (item) => expireBatch(run, [item]));
      moved();
    }
}

async function undoItems(run: DeletionRun, action: Action & { kind: 'undo' }, moved: () => void): Promise<void> {
  for await (const page of walkItems(run, UNDO_STATES, action.items)) {
    if (run.deletion.plan.task === 'expire') {
      for (const group of groupItems(page, run.executors, { keys: EXPIRE_KEYS })) {
        await stepOrFail(run, group, () => undoExpireBatch(run, group));
        moved();
      }
      continue;
    }
    const batches = [
      ...groupItems(page.filter(canUndoInBatch), run.executors).map((group) => ({ group, undo: undoBatch })),
      ...groupItems(page.filter(canRestoreInBatch), run.executors).map((group) => ({ group, undo: restoreBatch })),
    ];
    for (const { group, undo } of batches) {
      await stepOrFail(run, group, () => undo(run, group), leaveForLater);
      moved();
    }
    for (const item of page) {
      if (item.state === 'undone') continue;
      await stepOrFail(run, [item], () => undoItem(run, item, action));
      moved();
    }
  }
}

/** Deletes a key whose quarantine is over, in the mode that the plan has for that. */
async function purgeItem(run: DeletionRun, item: StoredItem): Promise<void> {
  await reconcileItem(run, item);
  if (item.state !== 'tombstoned' && item.state !== 'draining') return;
  if (item.state === 'tombstoned') await awaitReplicas(run, [item]);
  await emptyTombstone(run, item, (run.deletion.plan.options as DeletionOptions).afterQuarantine);
}
