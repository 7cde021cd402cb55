import { expireBatch, undoExpireBatch } from '@/lib/deletions/batches/expire-batch';
import { drainQuarantined, endQuarantine, isQuarantinedWhole } from '@/lib/deletions/batches/quarantine-batch';
import { removeBatch } from '@/lib/deletions/batches/remove-batch';
import { canRestoreInBatch, restoreBatch } from '@/lib/deletions/batches/restore-batch';
import { isSmallKey } from '@/lib/deletions/batches/small-key';
import { canUndoInBatch, undoBatch } from '@/lib/deletions/batches/undo-batch';
import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import type { NodeExecutors } from '@/lib/deletions/executor/node-executors';
import { getJournal } from '@/lib/deletions/journal/write-journal';
import { awaitReplicatedRenames } from '@/lib/deletions/steps/await-replicas';
import { hasBegunElsewhere } from '@/lib/deletions/steps/items-begun-elsewhere';
import { reconcileItem } from '@/lib/deletions/steps/reconcile-item';
import { emptyTombstone, removeItem } from '@/lib/deletions/steps/remove-item';
import type { RunArchive } from '@/lib/deletions/steps/run-archive';
import { tombstoneKey } from '@/lib/deletions/steps/tombstone-key';
import { undoItem } from '@/lib/deletions/undo/undo-item';
import type { ItemState } from '@/lib/model/deletions/item-states';
import type { DeletionOptions } from '@/lib/model/deletions/plan-request';
import type { StoredItem, WalkedState } from '@/lib/store/deletions/deletion-items';
import { readObservedNow } from '@/lib/store/settings/observed-clock';
import { actOrEndItems, walkItems } from './walk-items';

/**
 * Limits of one batch. The server answers each of its few writes 16 KiB at a time, with other commands in between; the
 * journal and the archive are synced once per batch. A slower speed takes smaller batches.
 */
const MAX_BATCH_KEYS = 500;
const MAX_BATCH_BYTES = 1024 * 1024;

/** Groups items that may be in one batch: same node, database and mode, in the order of the plan. */
function groupIntoBatches(
  items: readonly StoredItem[],
  executors: NodeExecutors,
  max: { keys?: number } = {},
): StoredItem[][] {
  const openGroups = new Map<string, { items: StoredItem[]; bytes: number }>();
  const groups: StoredItem[][] = [];
  for (const item of items) {
    const executor = executors.getForSlot(item.slot);
    const maxKeys = max.keys ?? Math.min(MAX_BATCH_KEYS, executor.throttle.burst?.keys ?? MAX_BATCH_KEYS);
    const bytes = item.facts.bytes ?? 0;
    const batchKey = `${executor.address}/${item.db}/${item.mode}`;
    let group = openGroups.get(batchKey);
    if (!group || group.items.length >= maxKeys || group.bytes + bytes > MAX_BATCH_BYTES) {
      group = { items: [], bytes: 0 };
      openGroups.set(batchKey, group);
      groups.push(group.items);
    }
    group.items.push(item);
    group.bytes += bytes;
  }
  return groups;
}

/**
 * Passed to `actOrEndItems` for a batch whose items are handled one by one afterwards: if the batch fails for one key,
 * that key reports its reason then.
 */
const leaveItemForLater = async () => {};

export type DeletionAction =
  | { kind: 'run' }
  | { kind: 'purge' }
  | { kind: 'undo'; items: number[] | null; restoreExpired: boolean };

/** How many expiries one batch sets. */
const EXPIRE_BATCH_KEYS = 100;
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

/** Handles all items of one action once. `onProgress` is called whenever something was done. */
export async function actOnItems(
  run: DeletionRun,
  action: DeletionAction,
  archive: RunArchive,
  onProgress: () => void,
): Promise<void> {
  if (action.kind === 'undo') return undoItems(run, action, onProgress);
  if (run.deletion.plan.task === 'expire') return expireItems(run, onProgress);
  if (action.kind === 'purge') return purgeItems(run, archive, onProgress);
  await reconcileBegunItems(run, onProgress);
  await tombstoneUrgent(run, onProgress);
  for await (const page of walkItems(run, ['planned', 'tombstoned', 'draining'])) {
    const planned = page.filter((item) => item.state === 'planned');
    const smallItems = planned.filter(isSmallKey);
    for (const group of groupIntoBatches(smallItems, run.executors)) {
      const removeGroup = () => removeBatch(run, group, archive);
      await actOrEndItems(run, group, removeGroup, (item) => removeItem(run, item));
      onProgress();
    }
    // Batches that were interrupted are put together again, into one archive.
    const tombstoned = page.filter(
      (item) => item.state === 'tombstoned' && item.mode !== 'quarantine' && isQuarantinedWhole(item),
    );
    for (const group of groupIntoBatches(tombstoned, run.executors)) {
      await actOrEndItems(run, group, () => drainQuarantined(run, group, archive), leaveItemForLater);
      onProgress();
    }
    // A batch leaves a small key open if it turned out to be large, or if its tombstone existed already.
    const batchedItems = new Set([...smallItems, ...tombstoned]);
    for (const item of page) {
      if (batchedItems.has(item) && !LEFT_BY_BATCH.has(item.state)) continue;
      await actOrEndItems(run, [item], () => removeItem(run, item));
      onProgress();
    }
  }
}

/** Checks on the server where every begun item is, before any new command is sent. */
async function reconcileBegunItems(run: DeletionRun, onProgress: () => void): Promise<void> {
  for await (const page of walkItems(run, ['begun', 'tombstoned', 'draining']))
    for (const item of page) {
      if (item.state === 'planned' && !getJournal(item).intent) continue;
      await actOrEndItems(run, [item], () => reconcileItem(run, item));
      onProgress();
    }
}

/** Tombstones first the keys whose expiry would block the server, before they expire. */
async function tombstoneUrgent(run: DeletionRun, onProgress: () => void): Promise<void> {
  for await (const page of walkItems(run, ['urgent'])) {
    const urgent = page
      .filter((item) => item.mode !== 'in_place')
      .sort((a, b) => (a.facts.expireAt ?? 0) - (b.facts.expireAt ?? 0));
    for (const item of urgent) {
      await actOrEndItems(run, [item], async () => void (await tombstoneKey(run, item)));
      onProgress();
    }
  }
}

async function purgeItems(run: DeletionRun, archive: RunArchive, onProgress: () => void): Promise<void> {
  const { afterQuarantine } = run.deletion.plan.options as DeletionOptions;
  for await (const page of walkItems(run, ['quarantined', 'tombstoned', 'draining'])) {
    const now = await readObservedNow();
    const dueItems = page.filter((item) => (getJournal(item).purgeAt ?? Number.POSITIVE_INFINITY) <= now);
    await endQuarantine(run, dueItems, afterQuarantine);
    const inOneBatch = dueItems.filter((item) => isQuarantinedWhole(item) && !hasBegunElsewhere(run, item));
    for (const group of groupIntoBatches(inOneBatch, run.executors)) {
      await actOrEndItems(run, group, () => drainQuarantined(run, group, archive), leaveItemForLater);
      onProgress();
    }
    for (const item of dueItems) {
      // The item is done, or has the reason why not.
      if (item.state !== 'tombstoned' && item.state !== 'draining') continue;
      await actOrEndItems(run, [item], () => purgeItem(run, item));
      onProgress();
    }
  }
}

async function expireItems(run: DeletionRun, onProgress: () => void): Promise<void> {
  for await (const page of walkItems(run, ['planned']))
    for (const group of groupIntoBatches(page, run.executors, { keys: EXPIRE_BATCH_KEYS })) {
      const expireGroup = () => expireBatch(run, group);
      await actOrEndItems(run, group, expireGroup, (item) => expireBatch(run, [item]));
      onProgress();
    }
}

async function undoItems(
  run: DeletionRun,
  action: DeletionAction & { kind: 'undo' },
  onProgress: () => void,
): Promise<void> {
  for await (const page of walkItems(run, UNDO_STATES, action.items)) {
    if (run.deletion.plan.task === 'expire') {
      for (const group of groupIntoBatches(page, run.executors, { keys: EXPIRE_BATCH_KEYS })) {
        await actOrEndItems(run, group, () => undoExpireBatch(run, group));
        onProgress();
      }
      continue;
    }
    const batches = [
      ...groupIntoBatches(page.filter(canUndoInBatch), run.executors).map((group) => ({ group, undo: undoBatch })),
      ...groupIntoBatches(page.filter(canRestoreInBatch), run.executors).map((group) => ({
        group,
        undo: restoreBatch,
      })),
    ];
    for (const { group, undo } of batches) {
      await actOrEndItems(run, group, () => undo(run, group), leaveItemForLater);
      onProgress();
    }
    for (const item of page) {
      if (item.state === 'undone') continue;
      await actOrEndItems(run, [item], () => undoItem(run, item, action));
      onProgress();
    }
  }
}

/** Deletes a key whose quarantine is over, in the mode that the plan has for that. */
async function purgeItem(run: DeletionRun, item: StoredItem): Promise<void> {
  await reconcileItem(run, item);
  if (item.state !== 'tombstoned' && item.state !== 'draining') return;
  if (item.state === 'tombstoned') await awaitReplicatedRenames(run, [item]);
  await emptyTombstone(run, item, (run.deletion.plan.options as DeletionOptions).afterQuarantine);
}
