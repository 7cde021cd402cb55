import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import { buildTombstoneName } from '@/lib/deletions/journal/item-names';
import { countElements, getJournal, saveItem } from '@/lib/deletions/journal/write-journal';
import { CONSENT_UNLINK_MS } from '@/lib/deletions/plan/choose-mode';
import { isDumped, isElementType } from '@/lib/model/deletions/archive';
import type { DeletionMode, DeletionOptions } from '@/lib/model/deletions/plan-request';
import { isCompact } from '@/lib/redis/drain/drain-small';
import { estimateUnlinkMs } from '@/lib/redis/drain/unlink-cost';
import { unlinkKeys } from '@/lib/redis/write/unlink-keys';
import { WriteFailure } from '@/lib/redis/write/write-failure';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';
import { readObservedNow } from '@/lib/store/settings/observed-clock';
import { awaitReplicatedDeletions, awaitReplicatedRenames } from './await-replicas';
import { drainInPlace } from './drain-in-place';
import { drainWithArchive, drainWithoutArchive } from './drain-key';
import { computeEndTime, finishItem } from './finish-item';
import { reconcileItem } from './reconcile-item';
import { tombstoneKey } from './tombstone-key';

/**
 * Deletes one key, from whatever state its item is in to the end. Throws StopRequested, NeedsOperator, TransientFailure
 * or WriteFailure.
 */
export async function removeItem(run: DeletionRun, item: StoredItem): Promise<void> {
  await reconcileItem(run, item);
  if (item.mode === 'in_place') return drainInPlace(run, item);
  if (item.state === 'planned' && !(await tombstoneKey(run, item))) return;
  if (item.state === 'tombstoned') await awaitReplicatedRenames(run, [item]);
  if (item.mode === 'quarantine' && item.state === 'tombstoned') {
    const options = run.deletion.plan.options as DeletionOptions;
    const purgeAt = computeEndTime(options.quarantineHours, await readObservedNow());
    await saveItem(run, item, {
      state: 'quarantined',
      undoUntil: purgeAt,
      journal: { ...getJournal(item), purgeAt },
    });
    run.meter.addDone(countElements(item), 1);
    return;
  }
  if (item.state === 'tombstoned' || item.state === 'draining') await emptyTombstone(run, item, item.mode ?? 'archive');
}

/**
 * Whether UNLINK would free few large elements at once and nobody agreed to that: they grew since the plan, or their
 * size was unknown. Such a key is emptied in pieces, which is not possible for a string, a key of one allocation or a
 * type that is dumped whole.
 */
function blocksWithoutConsent(run: DeletionRun, item: StoredItem): boolean {
  const { look } = getJournal(item);
  if (!look || !isElementType(look.type) || look.type === 'string' || isCompact(look.encoding) || isDumped(look.type))
    return false;
  return (estimateUnlinkMs(look) ?? 0) >= CONSENT_UNLINK_MS && !run.deletion.plan.consents.includes('unlink_blocks');
}

/**
 * If the server has no UNLINK, a key with elements is emptied chunk by chunk; for a module type no elements are known.
 */
async function unlinkOrDrain(run: DeletionRun, item: StoredItem, key: Buffer): Promise<void> {
  const channel = await run.executors.getForSlot(item.slot).openPaced(item.db);
  if (await unlinkKeys(channel, [key])) return;
  if (!isElementType(getJournal(item).look?.type ?? null))
    throw new WriteFailure(
      'denied',
      'ERR',
      'The server has no UNLINK, the only command that deletes keys of module types safely.',
    );
  await drainWithoutArchive(run, item, key);
}

/** Deletes the key of a tombstone in the given mode, and finishes its item. */
export async function emptyTombstone(run: DeletionRun, item: StoredItem, mode: DeletionMode): Promise<void> {
  const key = buildTombstoneName(item);
  if (mode === 'archive') {
    if (!(await drainWithArchive(run, item, key))) return;
  } else if (mode === 'drain' || blocksWithoutConsent(run, item)) await drainWithoutArchive(run, item, key);
  else await unlinkOrDrain(run, item, key);
  await awaitReplicatedDeletions(run, [item]);
  await finishItem(run, item, { isArchived: mode === 'archive' });
}
