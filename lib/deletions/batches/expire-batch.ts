import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import { TransientFailure } from '@/lib/deletions/executor/run-errors';
import { describeChange } from '@/lib/deletions/journal/describe-change';
import {
  clearDeadlineOnRefusal,
  createCodedMessage,
  getJournal,
  type ItemWrite,
  saveItems,
} from '@/lib/deletions/journal/write-journal';
import { awaitDeadline } from '@/lib/deletions/steps/await-deadline';
import { HOUR_MS } from '@/lib/deletions/steps/finish-item';
import type { CodedMessage } from '@/lib/model/deletions/coded-message';
import type { ExpireOptions } from '@/lib/model/deletions/plan-request';
import { computeLengthBounds } from '@/lib/redis/write/compare-and-rename';
import { readFactsOfKeys } from '@/lib/redis/write/read-key-facts';
import { IN_TIME_MS } from '@/lib/redis/write/server-time';
import { ABOUT_MS, setExpiries } from '@/lib/redis/write/set-expiry';
import type { KeyFacts, WritingChannel } from '@/lib/redis/write/types';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';
import { openForBatch } from './open-for-batch';

/** The previous expiry of a key is kept for an undo for this many hours. */
const UNDO_HOURS = 24 * 30;
/** The shortest expiry that may be set: a nearer one leaves no time to undo it. */
const MIN_EXPIRY_MS = 30_000;

/** A length may differ by this many percent from what the plan saw. */
const TOLERANCE_PERCENT = 10;

/**
 * Sets the expiries of some keys of one node and database. An expiry counts from now by the clock of the server,
 * because a person has approved how long each key still lives. Each key must still be what the plan saw. Its previous
 * expiry is written to the journal first. A key whose expiry was changed in between is not changed, and its item says
 * so.
 */
export async function expireBatch(run: DeletionRun, items: StoredItem[]): Promise<void> {
  const options = run.deletion.plan.options as ExpireOptions;
  const { executor, channel } = await openForBatch(run, items);
  const sentEarlier = items.filter((item) => getJournal(item).intent);
  const [lastSent] = sentEarlier.sort((a, b) => (getJournal(b).deadline ?? 0) - (getJournal(a).deadline ?? 0));
  if (lastSent) await awaitDeadline(lastSent, channel);
  const currentFacts = await readFactsOfKeys(
    channel,
    items.map((item) => item.name),
  );
  const serverNow = currentFacts[0]?.at ?? null;
  const ending = { endedAt: Date.now() };
  const writes: ItemWrite[] = [];
  const expiryChanges: ExpiryChange[] = [];
  for (const [index, item] of items.entries()) {
    const current = currentFacts[index];
    if (!current || current.type === null) {
      writes.push({ item, patch: { state: 'vanished', reason: createCodedMessage('gone_before'), ...ending } });
      continue;
    }
    if (isSetAlready(current.expireAt, item)) {
      writes.push({ item, patch: { ...buildDonePatch(current.expireAt, serverNow), ...ending } });
      continue;
    }
    const change = describeChange(item, current, TOLERANCE_PERCENT);
    const reason = change ? null : findExpiryRefusal(options, current, item);
    if (change) writes.push({ item, patch: { state: 'aborted', reason: change, ...ending } });
    else if (reason !== null || serverNow === null)
      writes.push({
        item,
        patch: { state: 'skipped', reason: reason ?? createCodedMessage('clock_unknown'), ...ending },
      });
    else {
      const newExpireAt = serverNow + (item.facts.newExpireAt ?? 0);
      const journal = { intent: true, deadline: serverNow + IN_TIME_MS, ours: newExpireAt, previous: current.expireAt };
      expiryChanges.push({ item, newExpireAt, current: { ...current, type: current.type } });
      writes.push({ item, patch: { startedAt: Date.now(), journal } });
    }
  }
  await saveItems(run, writes);
  if (expiryChanges.length > 0 && serverNow !== null) await setChangedExpiries(run, expiryChanges, channel, serverNow);
  run.meter.addDone(0, items.length);
  await executor.rest();
}

function findExpiryRefusal({ only }: ExpireOptions, current: KeyFacts, item: StoredItem): CodedMessage | null {
  if (only === 'none' && current.expireAt !== null) return createCodedMessage('has_expiry');
  if (!current.expiryKnown) return createCodedMessage('expiry_unknown');
  // A time by the clock of Colonnade may already be past by the clock of the server.
  if (current.at === null) return createCodedMessage('clock_unknown');
  return (item.facts.newExpireAt ?? 0) < MIN_EXPIRY_MS ? createCodedMessage('expiry_past') : null;
}

interface ExpiryChange {
  item: StoredItem;
  newExpireAt: number;
  current: KeyFacts & { type: string };
}

async function setChangedExpiries(
  run: DeletionRun,
  expiryChanges: readonly ExpiryChange[],
  channel: WritingChannel,
  serverNow: number,
): Promise<void> {
  const requests = expiryChanges.map(({ item, newExpireAt, current }) => ({
    name: item.name,
    expireAt: newExpireAt,
    expected: current.expireAt,
    type: current.type,
    lengths: current.length === null ? null : computeLengthBounds(current.length, TOLERANCE_PERCENT),
  }));
  const items = expiryChanges.map(({ item }) => item);
  const outcomes = await clearDeadlineOnRefusal(run, items, () =>
    setExpiries(channel, requests, serverNow + IN_TIME_MS),
  );
  const ending = { endedAt: Date.now() };
  await saveItems(
    run,
    expiryChanges.map(({ item, newExpireAt }, index) => {
      const outcome = outcomes[index] ?? 'late';
      if (outcome === 'set') return { item, patch: { ...buildDonePatch(newExpireAt, serverNow), ...ending } };
      const journal = null;
      // The server was too slow; the key is looked at again.
      if (outcome === 'late') return { item, patch: { journal } };
      if (outcome === 'vanished')
        return { item, patch: { state: 'vanished', reason: createCodedMessage('gone_before'), journal, ...ending } };
      const reason = createCodedMessage(outcome === 'past' ? 'expiry_past' : 'changed_meanwhile');
      return { item, patch: { state: 'skipped', reason, journal, ...ending } };
    }),
  );
  if (outcomes.includes('late')) throw new TransientFailure({ code: 'server_busy', params: { code: 'LATE' } });
}

/** A key that has expired is gone, so its undo ends at the new expiry at the latest. */
function buildDonePatch(expireAt: number | null, serverNow: number | null): Pick<StoredItem, 'state' | 'undoUntil'> {
  const remainingMs = expireAt === null || serverNow === null ? UNDO_HOURS * HOUR_MS : expireAt - serverNow;
  // The end of the undo is rounded down to a second or a minute, so that a million keys that expire at a million
  // different times have few different ends.
  const roundMs = remainingMs < HOUR_MS ? 1000 : 60_000;
  const undoUntil = Math.floor((Date.now() + Math.min(UNDO_HOURS * HOUR_MS, remainingMs)) / roundMs) * roundMs;
  return { state: 'done', undoUntil };
}

/**
 * Whether the key has the expiry that an earlier attempt sent, whose reply was lost. Servers before 7.0 report the
 * remaining time, which is not exact.
 */
function isSetAlready(expireAt: number | null, item: StoredItem): boolean {
  const { ours } = getJournal(item);
  return ours !== undefined && expireAt !== null && Math.abs(expireAt - ours) <= ABOUT_MS;
}

/** Restores the previous expiry of each key that still has the expiry that Colonnade set. */
export async function undoExpireBatch(run: DeletionRun, items: StoredItem[]): Promise<void> {
  const { executor, channel } = await openForBatch(run, items);
  const outcomes = await setExpiries(
    channel,
    items.map((item) => {
      const { ours = 0, previous = null } = getJournal(item);
      return { name: item.name, expected: ours, expireAt: previous };
    }),
  );
  await saveItems(
    run,
    items.map((item, index) => {
      const outcome = outcomes[index];
      if (outcome === 'set')
        return { item, patch: { state: 'undone', reason: null, undoUntil: null, endedAt: Date.now() } };
      const reason = outcome === 'vanished' ? 'gone_before' : outcome === 'past' ? 'expiry_past' : 'changed_meanwhile';
      return { item, patch: { reason: createCodedMessage(reason), undoUntil: null } };
    }),
  );
  run.meter.addDone(0, items.length);
  await executor.rest();
}
