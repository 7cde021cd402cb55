import { afterEach, beforeEach, expect, it } from 'vitest';
import { ITEM_STATES } from '@/lib/model/deletions/item-states';
import { runTransaction } from '@/lib/store/open-store';
import { LONG } from '@/test/long-form.mjs';
import { temporaryData } from '@/test/temporary-data';
import { countItems, sumItems, sumToUndo } from './deletion-counts';
import { type ItemPatch, insertItems, listItems, type NewItem, updateItem, updateItems } from './deletion-items';
import { deleteItems } from './deletions';

const NOW = 1_800_000_000_000;
const ITEMS = 60;
const ROUNDS = LONG ? 600 : 200;
let data: ReturnType<typeof temporaryData>;
beforeEach(() => {
  data = temporaryData();
});
afterEach(() => data.remove());

const item = (seq: number): NewItem => ({
  seq,
  name: Buffer.from(`k${seq}`),
  db: 0,
  slot: 0,
  mode: 'archive',
  type: seq % 3 ? 'hash' : 'string',
  facts: {
    name: `k${seq}`,
    nameBytes: 2,
    address: '',
    encoding: null,
    length: seq % 5 === 1 ? null : seq,
    bytes: 10,
    expireAt: null,
    expiryKnown: true,
    idleSeconds: null,
    modeReason: null,
    hazards: seq === 7 ? ['expires_soon'] : [],
    newExpireAt: null,
  },
});

/** A fixed pseudo-random sequence, so that a failure is reproducible. */
function* numbers() {
  for (let value = 12_345; ; value = (value * 1_103_515_245 + 12_345) % 2_147_483_648) yield value;
}

it('counts what the items say after any order of writes', async () => {
  await runTransaction((tx) =>
    insertItems(
      'd',
      Array.from({ length: ITEMS }, (_, seq) => item(seq)),
      tx,
    ),
  );
  await runTransaction((tx) => insertItems('other', [item(0)], tx));
  const random = numbers();
  const next = (below: number) => Math.floor((random.next().value ?? 0) / 65_536) % below;
  const patches: (() => ItemPatch)[] = [
    () => ({ state: ITEM_STATES[next(ITEM_STATES.length)] ?? 'done' }),
    () => ({ undoUntil: [null, NOW - 1, NOW + 1, NOW + 60_000][next(4)] ?? null }),
    () => ({ journal: next(2) ? { intent: true } : null }),
    () => ({ removed: next(100), archived: next(3), archiveBytes: next(1000) }),
    () => ({ state: 'draining', archived: next(2) }),
  ];
  const patch = () => (patches[next(patches.length)] ?? (() => ({})))();
  for (let round = 0; round < ROUNDS; round++) {
    await updateItem('d', next(ITEMS), patch());
    if (round % 4) continue;
    // A batch is counted once. It may contain the same item twice, and the whole batch may be rolled back.
    const many = Array.from({ length: 5 + next(30) }, () => ({ seq: next(ITEMS), patch: patch() }));
    const whole = runTransaction(async (tx) => {
      await updateItems('d', many, tx);
      if (next(5) === 0) throw new Error('taken back');
    });
    await whole.catch((error) => expect(error.message).toBe('taken back'));
  }

  const items = await listItems({ deletionId: 'd' });
  const returning = items.filter(
    ({ state, archived, journal, undoUntil }) =>
      (undoUntil ?? 0) > NOW ||
      ['tombstoned', 'quarantined', 'restoring', 'needs_review'].includes(state) ||
      (state === 'draining' && archived > 0) ||
      (state === 'planned' && journal !== null),
  );
  const counts: Record<string, number> = {};
  for (const { state } of items) counts[state] = (counts[state] ?? 0) + 1;
  expect(await countItems('d')).toEqual(counts);
  expect(await sumItems('d', NOW)).toEqual({
    removed: items.reduce((sum, one) => sum + one.removed, 0),
    archiveBytes: items.reduce((sum, one) => sum + one.archiveBytes, 0),
    undoable: returning.length,
    undoUntil: items.map(({ undoUntil }) => undoUntil).reduce((a, b) => (a === null || (b !== null && b < a) ? b : a)),
  });
  const unknown = returning.some(({ type, facts }) => type !== 'string' && facts.length === null);
  const toUndo = await sumToUndo('d', null, NOW);
  expect(toUndo.keys).toBe(returning.length);
  expect(toUndo.elements === null).toBe(unknown);
  // The sum over given items is computed from the items and must be the same.
  const every = Array.from({ length: ITEMS }, (_, seq) => seq);
  expect(await sumToUndo('d', every, NOW)).toEqual(toUndo);
});

it('lists by state, what was begun and what is urgent', async () => {
  await runTransaction((tx) =>
    insertItems(
      'd',
      Array.from({ length: 10 }, (_, seq) => item(seq)),
      tx,
    ),
  );
  await updateItem('d', 3, { journal: { intent: true } });
  expect((await listItems({ deletionId: 'd', states: ['begun'] })).map(({ seq }) => seq)).toEqual([3]);
  expect((await listItems({ deletionId: 'd', states: ['urgent'] })).map(({ seq }) => seq)).toEqual([7]);
  const both = await listItems({ deletionId: 'd', states: ['planned', 'done'], afterSeq: 2, limit: 3 });
  expect(both.map(({ seq }) => seq)).toEqual([3, 4, 5]);
});

it('forgets the items of a deletion, and their counts', async () => {
  await runTransaction((tx) =>
    insertItems(
      'd',
      Array.from({ length: 10 }, (_, seq) => item(seq)),
      tx,
    ),
  );
  await deleteItems('d');
  expect(await listItems({ deletionId: 'd' })).toEqual([]);
  expect(await countItems('d')).toEqual({});
});
