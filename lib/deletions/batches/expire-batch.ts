import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import { TransientFailure } from '@/lib/deletions/executor/run-errors';
import { describeChange } from '@/lib/deletions/journal/describe-change';
import { clearDeadlineOnRefusal, codedMessage, journalOf, saveItems } from '@/lib/deletions/journal/item-journal';
import { awaitDeadline } from '@/lib/deletions/steps/await-deadline';
import { HOUR_MS } from '@/lib/deletions/steps/finish-item';
import type { CodedMessage } from '@/lib/model/deletions/coded-message';
import type { ExpireOptions } from '@/lib/model/deletions/plan-request';
import { lengthBounds } from '@/lib/redis/write/compare-and-rename';
import { readFactsOfKeys } from '@/lib/redis/write/read-key-facts';
import { IN_TIME_MS } from '@/lib/redis/write/server-time';
import { ABOUT_MS, setExpiries, undoExpiries } from '@/lib/redis/write/set-expiry';
import type { KeyFacts, WritingChannel } from '@/lib/redis/write/types';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';

/** What a key had before is kept this long. */
const UNDO_HOURS = 24 * 30;
/** Nearer than this nobody could take it back. */
const MIN_MS = 30_000;

/** How far a length may be from what was planned, percent. */
const TOLERANCE_PERCENT = 10;

/**
 * Gives some keys of one node and database their expiry, counted from now by the clock of their server: what was
 * approved is how long they live on. Each must still be what the plan saw; what it had before stands in the journal
 * first; a key that got another expiry in between is left alone and says so.
 */
export async function expireBatch(run: DeletionRun, items: StoredItem[]): Promise<void> {
  const [first] = items;
  if (!first) return;
  const options = run.deletion.plan.options as ExpireOptions;
  const executor = run.executors.at(first.slot);
  const channel = await executor.unpaced(first.db);
  // What holds the server back holds the batch too, before its first write.
  await executor.rest();
  const begun = items.filter((item) => journalOf(item).intent);
  const [last] = begun.sort((a, b) => (journalOf(b).deadline ?? 0) - (journalOf(a).deadline ?? 0));
  if (last) await awaitDeadline(last, channel);
  const looks = await readFactsOfKeys(
    channel,
    items.map((item) => item.name),
  );
  const at = looks[0]?.at ?? null;
  const ended = { endedAt: Date.now() };
  const writes: Parameters<typeof saveItems>[1] = [];
  const wanted: Wanted[] = [];
  for (const [index, item] of items.entries()) {
    const look = looks[index];
    if (!look || look.type === null) {
      writes.push({ item, patch: { state: 'vanished', reason: codedMessage('gone_before'), ...ended } });
      continue;
    }
    if (isInternal(look.expireAt, item)) {
      writes.push({ item, patch: { ...donePatch(look.expireAt, at), ...ended } });
      continue;
    }
    const change = describeChange(item, look, TOLERANCE_PERCENT);
    const reason = change ? null : whyNot(options, look, item);
    if (change) writes.push({ item, patch: { state: 'aborted', reason: change, ...ended } });
    else if (reason !== null || at === null)
      writes.push({ item, patch: { state: 'skipped', reason: reason ?? codedMessage('clock_unknown'), ...ended } });
    else {
      const ours = at + (item.facts.newExpireAt ?? 0);
      const journal = { intent: true, deadline: at + IN_TIME_MS, ours, previous: look.expireAt };
      wanted.push({ item, ours, look: { ...look, type: look.type } });
      writes.push({ item, patch: { startedAt: Date.now(), journal } });
    }
  }
  await saveItems(run, writes);
  if (wanted.length > 0 && at !== null) await setAll(run, wanted, channel, at);
  run.meter.add(0, items.length);
  await executor.rest();
}

function whyNot({ only }: ExpireOptions, look: KeyFacts, item: StoredItem): CodedMessage | null {
  if (only === 'none' && look.expireAt !== null) return codedMessage('has_expiry');
  if (!look.expiryKnown) return codedMessage('expiry_unknown');
  // A moment of our clock may lie in the past of the server's.
  if (look.at === null) return codedMessage('clock_unknown');
  return (item.facts.newExpireAt ?? 0) < MIN_MS ? codedMessage('expiry_past') : null;
}

interface Wanted {
  item: StoredItem;
  ours: number;
  look: KeyFacts & { type: string };
}

async function setAll(run: DeletionRun, wanted: readonly Wanted[], channel: WritingChannel, at: number): Promise<void> {
  const { only } = run.deletion.plan.options as ExpireOptions;
  const wishes = wanted.map(({ item, ours, look }) => ({
    name: item.name,
    expireAt: ours,
    only,
    expected: look.expireAt,
    type: look.type,
    lengths: look.length === null ? null : lengthBounds(look.length, TOLERANCE_PERCENT),
  }));
  const begun = wanted.map(({ item }) => item);
  const outcomes = await clearDeadlineOnRefusal(run, begun, () => setExpiries(channel, wishes, at + IN_TIME_MS));
  const ended = { endedAt: Date.now() };
  await saveItems(
    run,
    wanted.map(({ item, ours }, index) => {
      const outcome = outcomes[index]?.outcome ?? 'late';
      if (outcome === 'set') return { item, patch: { ...donePatch(ours, at), ...ended } };
      const journal = null;
      // The server was too slow: it is looked at again.
      if (outcome === 'late') return { item, patch: { journal } };
      if (outcome === 'vanished')
        return { item, patch: { state: 'vanished', reason: codedMessage('gone_before'), journal, ...ended } };
      const reason = codedMessage(outcome === 'past' ? 'expiry_past' : 'changed_meanwhile');
      return { item, patch: { state: 'skipped', reason, journal, ...ended } };
    }),
  );
  if (outcomes.some(({ outcome }) => outcome === 'late'))
    throw new TransientFailure({ code: 'server_busy', params: { code: 'LATE' } });
}

/** What has expired cannot be given anything back. */
function donePatch(expireAt: number | null, at: number | null): Pick<StoredItem, 'state' | 'undoUntil'> {
  const left = expireAt === null || at === null ? UNDO_HOURS * HOUR_MS : expireAt - at;
  // Rounded down to what is counted together: a million keys that expire at a million moments have few ends.
  const step = left < HOUR_MS ? 1000 : 60_000;
  const undoUntil = Math.floor((Date.now() + Math.min(UNDO_HOURS * HOUR_MS, left)) / step) * step;
  return { state: 'done', undoUntil };
}

/** Given before the answer was lost; servers before 7.0 tell a rest of time, which is not exact. */
function isInternal(expireAt: number | null, item: StoredItem): boolean {
  const { ours } = journalOf(item);
  return ours !== undefined && expireAt !== null && Math.abs(expireAt - ours) <= ABOUT_MS;
}

/** Gives back what each key had, where it still has what we gave it. */
export async function unexpireBatch(run: DeletionRun, items: StoredItem[]): Promise<void> {
  const [first] = items;
  if (!first) return;
  const executor = run.executors.at(first.slot);
  const channel = await executor.unpaced(first.db);
  // What holds the server back holds the batch too, before its first write.
  await executor.rest();
  const outcomes = await undoExpiries(
    channel,
    items.map((item) => {
      const { ours = 0, previous = null } = journalOf(item);
      return { name: item.name, ours, previous };
    }),
  );
  await saveItems(
    run,
    items.map((item, index) => {
      const outcome = outcomes[index]?.outcome;
      const restored = outcome === 'set';
      return {
        item,
        patch: restored
          ? { state: 'undone', reason: null, undoUntil: null, endedAt: Date.now() }
          : {
              reason: codedMessage(
                outcome === 'vanished' ? 'gone_before' : outcome === 'past' ? 'expiry_past' : 'changed_meanwhile',
              ),
              undoUntil: null,
            },
      };
    }),
  );
  run.meter.add(0, items.length);
  await executor.rest();
}
