import type { ExpireOptions } from '@/lib/model/deletion';
import { lookAtKeys } from '@/lib/redis/look-at-key';
import { ABOUT_MS, setExpiries, undoExpiries } from '@/lib/redis/set-expiry';
import type { StoredItem } from '@/lib/store/deletion-items';
import { HOUR_MS } from './finish-item';
import { journalOf, saveItems, told } from './item-journal';
import type { Work } from './work';

/** What a key had before is kept this long. */
const UNDO_HOURS = 24 * 30;

/**
 * Gives some keys of one node and database their expiry. What each had before stands in the journal first; a key that
 * got another expiry in between is left alone and says so.
 */
export async function expireBatch(work: Work, items: StoredItem[]): Promise<void> {
  const [first] = items;
  if (!first) return;
  const options = work.deletion.plan.options as ExpireOptions;
  const base = work.deletion.startedAt ?? Date.now();
  const desk = work.desks.at(first.slot);
  const channel = await desk.unpaced(first.db);
  // What holds the server back holds the batch too, before its first write.
  await desk.rest(0);
  const began = performance.now();
  const looks = await lookAtKeys(
    channel,
    items.map((item) => item.name),
  );
  const ended = { endedAt: Date.now() };
  const undoUntil = Date.now() + UNDO_HOURS * HOUR_MS;
  const writes: Parameters<typeof saveItems>[1] = [];
  const wanted: { item: StoredItem; ours: number; previous: number | null }[] = [];
  items.forEach((item, index) => {
    const look = looks[index];
    // The plan holds an offset from the start; a moment already past would delete the key.
    const ours = journalOf(item).ours ?? base + (item.facts.newExpireAt ?? 0);
    if (!look || look.type === null)
      writes.push({ item, patch: { state: 'vanished', reason: told('gone_before'), ...ended } });
    else if (isOurs(look.expireAt, item)) writes.push({ item, patch: { state: 'done', undoUntil, ...ended } });
    else if (options.only === 'none' && look.expireAt !== null)
      writes.push({ item, patch: { state: 'skipped', reason: told('has_expiry'), ...ended } });
    else if (!look.expiryKnown)
      writes.push({ item, patch: { state: 'skipped', reason: told('expiry_unknown'), ...ended } });
    else if (ours < Date.now() + 30_000)
      writes.push({ item, patch: { state: 'skipped', reason: told('expiry_past'), ...ended } });
    else {
      wanted.push({ item, ours, previous: look.expireAt });
      writes.push({
        item,
        patch: { startedAt: Date.now(), journal: { intent: true, ours, previous: look.expireAt } },
      });
    }
  });
  await saveItems(work, writes);
  if (wanted.length > 0) {
    const set = await setExpiries(
      channel,
      wanted.map(({ item, ours, previous }) => ({
        name: item.name,
        expireAt: ours,
        only: options.only,
        expected: previous,
      })),
    );
    await saveItems(
      work,
      wanted.map(({ item }, index) => {
        const outcome = set[index]?.outcome;
        if (outcome === 'set') return { item, patch: { state: 'done', undoUntil, ...ended } };
        if (outcome === 'vanished')
          return { item, patch: { state: 'vanished', reason: told('gone_before'), journal: null, ...ended } };
        return {
          item,
          patch: {
            state: 'skipped',
            reason: told(outcome === 'past' ? 'expiry_past' : 'changed_meanwhile'),
            journal: null,
            ...ended,
          },
        };
      }),
    );
  }
  work.meter.add(0, items.length);
  await desk.rest(performance.now() - began);
}

/** Given before the answer was lost; servers before 7.0 tell a rest of time, which is not exact. */
function isOurs(expireAt: number | null, item: StoredItem): boolean {
  const { ours } = journalOf(item);
  return ours !== undefined && expireAt !== null && Math.abs(expireAt - ours) <= ABOUT_MS;
}

/** Gives back what each key had, where it still has what we gave it. */
export async function unexpireBatch(work: Work, items: StoredItem[]): Promise<void> {
  const [first] = items;
  if (!first) return;
  const desk = work.desks.at(first.slot);
  const channel = await desk.unpaced(first.db);
  // What holds the server back holds the batch too, before its first write.
  await desk.rest(0);
  const began = performance.now();
  const outcomes = await undoExpiries(
    channel,
    items.map((item) => {
      const { ours = 0, previous = null } = journalOf(item);
      return { name: item.name, ours, previous };
    }),
  );
  await saveItems(
    work,
    items.map((item, index) => {
      const outcome = outcomes[index]?.outcome;
      const restored = outcome === 'set';
      return {
        item,
        patch: restored
          ? { state: 'undone', reason: null, undoUntil: null, endedAt: Date.now() }
          : {
              reason: told(
                outcome === 'vanished' ? 'gone_before' : outcome === 'past' ? 'expiry_past' : 'changed_meanwhile',
              ),
              undoUntil: null,
            },
      };
    }),
  );
  work.meter.add(0, items.length);
  await desk.rest(performance.now() - began);
}
