import type { Work } from '@/lib/deletions/executor/deletion-run';
import { journalOf } from '@/lib/deletions/journal/item-journal';
import { beganElsewhere } from '@/lib/deletions/steps/began-elsewhere';
import { expireBatch, unexpireBatch } from '@/lib/deletions/steps/expire-batch';
import { purgeItem } from '@/lib/deletions/steps/purge-item';
import { emptySetAside, endQuarantine, isSetAsideWhole } from '@/lib/deletions/steps/quarantine-batch';
import { reconcileItem } from '@/lib/deletions/steps/reconcile-item';
import { removeItem } from '@/lib/deletions/steps/remove-item';
import { returnBatch, returnsInBatch } from '@/lib/deletions/steps/restore-batch';
import type { RunArchive } from '@/lib/deletions/steps/run-archive';
import { isSmall, removeBatch } from '@/lib/deletions/steps/small-batch';
import { takeKey } from '@/lib/deletions/steps/tombstone-key';
import { comesBackInBatch, undoBatch } from '@/lib/deletions/steps/undo-batch';
import { undoItem } from '@/lib/deletions/steps/undo-item';
import type { DeletionOptions, ItemState } from '@/lib/model/deletion';
import type { WalkedState } from '@/lib/store/deletion-items';
import { observedNow } from '@/lib/store/observed-clock';
import { groupItems } from './group-items';
import { stepOrFail, walkItems } from './walk-items';

export type Action =
  | { kind: 'run' }
  | { kind: 'purge' }
  | { kind: 'undo'; items: number[] | null; restoreExpired: boolean };

const EXPIRE_KEYS = 100;
const OPEN = new Set<ItemState>(['planned', 'tombstoned']);
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

/** All items of one action, once. `moved` is told whenever something was done. */
export async function actOnItems(work: Work, action: Action, archive: RunArchive, moved: () => void): Promise<void> {
  if (action.kind === 'undo') return undoAll(work, action, moved);
  if (work.deletion.plan.task === 'expire') return expireAll(work, moved);
  if (action.kind === 'purge') return purgeAll(work, archive, moved);
  await settleBegun(work, moved);
  await defuse(work, moved);
  for await (const page of walkItems(work, ['planned', 'tombstoned', 'draining'])) {
    const fresh = page.filter((item) => item.state === 'planned');
    const small = fresh.filter(isSmall);
    for (const group of groupItems(small, work.desks)) {
      const batch = () => removeBatch(work, group, archive);
      await stepOrFail(work, group, batch, (item) => removeItem(work, item));
      moved();
    }
    // Cut off in the middle of a batch: they go as one again, into one archive.
    const setAside = page.filter(
      (item) => item.state === 'tombstoned' && item.mode !== 'quarantine' && isSetAsideWhole(item),
    );
    for (const group of groupItems(setAside, work.desks)) {
      await stepOrFail(
        work,
        group,
        () => emptySetAside(work, group, archive),
        async () => {},
      );
      moved();
    }
    // A small key that turned out large, or whose tombstone was there already, is left open by its batch.
    const inBatch = new Set([...small, ...setAside]);
    for (const item of page) {
      if (inBatch.has(item) && !OPEN.has(item.state)) continue;
      await stepOrFail(work, [item], () => removeItem(work, item));
      moved();
    }
  }
}

/** Before any new command: every item that was begun is asked where it stands. */
async function settleBegun(work: Work, moved: () => void): Promise<void> {
  for await (const page of walkItems(work, ['begun', 'tombstoned', 'draining']))
    for (const item of page) {
      if (item.state === 'planned' && !journalOf(item).intent) continue;
      await stepOrFail(work, [item], () => reconcileItem(work, item));
      moved();
    }
}

/** Keys whose expiry would block the server are set aside first of all, before the clock does it. */
async function defuse(work: Work, moved: () => void): Promise<void> {
  for await (const page of walkItems(work, ['urgent'])) {
    const urgent = page
      .filter((item) => item.mode !== 'in_place')
      .sort((a, b) => (a.facts.expireAt ?? 0) - (b.facts.expireAt ?? 0));
    for (const item of urgent) {
      await stepOrFail(work, [item], async () => void (await takeKey(work, item)));
      moved();
    }
  }
}

async function purgeAll(work: Work, archive: RunArchive, moved: () => void): Promise<void> {
  const { afterQuarantine } = work.deletion.plan.options as DeletionOptions;
  for await (const page of walkItems(work, ['quarantined', 'tombstoned', 'draining'])) {
    const now = await observedNow();
    const due = page.filter((item) => (journalOf(item).purgeAt ?? Number.POSITIVE_INFINITY) <= now);
    await endQuarantine(work, due, afterQuarantine);
    const here = due.filter((item) => isSetAsideWhole(item) && !beganElsewhere(work, item));
    for (const group of groupItems(here, work.desks)) {
      await stepOrFail(
        work,
        group,
        () => emptySetAside(work, group, archive),
        async () => {},
      );
      moved();
    }
    for (const item of due) {
      // Done, or told why not.
      if (item.state !== 'tombstoned' && item.state !== 'draining') continue;
      await stepOrFail(work, [item], () => purgeItem(work, item));
      moved();
    }
  }
}

async function expireAll(work: Work, moved: () => void): Promise<void> {
  for await (const page of walkItems(work, ['planned']))
    for (const group of groupItems(page, work.desks, { keys: EXPIRE_KEYS })) {
      const batch = () => expireBatch(work, group);
      await stepOrFail(work, group, batch, (item) => expireBatch(work, [item]));
      moved();
    }
}

async function undoAll(work: Work, action: Action & { kind: 'undo' }, moved: () => void): Promise<void> {
  for await (const page of walkItems(work, UNDO_STATES, action.items)) {
    if (work.deletion.plan.task === 'expire') {
      for (const group of groupItems(page, work.desks, { keys: EXPIRE_KEYS })) {
        await stepOrFail(work, group, () => unexpireBatch(work, group));
        moved();
      }
      continue;
    }
    const batches = [
      ...groupItems(page.filter(comesBackInBatch), work.desks).map((group) => ({ group, undo: undoBatch })),
      ...groupItems(page.filter(returnsInBatch), work.desks).map((group) => ({ group, undo: returnBatch })),
    ];
    for (const { group, undo } of batches) {
      // What one key of many is refused, it is told when it goes by itself.
      await stepOrFail(
        work,
        group,
        () => undo(work, group),
        async () => {},
      );
      moved();
    }
    for (const item of page) {
      if (item.state === 'undone') continue;
      await stepOrFail(work, [item], () => undoItem(work, item, action));
      moved();
    }
  }
}
