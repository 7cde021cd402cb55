import { afterAll, beforeAll, expect, it } from 'vitest';
import { AppError } from '@/lib/model/errors';
import type { EffectivePolicy } from '@/lib/model/rules/policy';
import { temporaryData } from '@/test/temporary-data';
import { getDb } from './open-store';
import { findPreparation, putPreparation, removePreparation } from './preparations';
import { claimWishes, endWish, giveBackWish, makeWish, readWish, type Wish } from './wishes';
import { putPresence } from './workers';

let data: ReturnType<typeof temporaryData>;
beforeAll(() => {
  data = temporaryData();
});
afterAll(() => data.remove());

const SIGN = { id: 'web', host: 'h', pid: 1, labels: [], version: '1', keyId: 'k', jobs: 1, running: 0 };
const rollUp = (snapshotId: string): Wish => ({ kind: 'roll-up', snapshotId });

it('is one row however many pages make it, and one worker has it', async () => {
  await Promise.all([makeWish(rollUp('one')), makeWish(rollUp('one'))]);
  const [mine, ...others] = await claimWishes(4);
  expect([mine?.wish, others]).toEqual([rollUp('one'), []]);
  expect(await claimWishes(4)).toEqual([]);
  expect(await readWish(rollUp('one'))).toEqual({ isOpen: true, answer: null });
  // Its worker gives it back.
  await giveBackWish(mine!.id);
  expect((await claimWishes(4)).map(({ id }) => id)).toEqual([mine!.id]);
  await endWish(mine!.id, { answer: { keys: 3 } });
  expect(await readWish(rollUp('one'))).toEqual({ isOpen: false, answer: { keys: 3 } });
});

it('is made again after its end, but not too soon', async () => {
  await makeWish(rollUp('two'));
  const [mine] = await claimWishes(4);
  await endWish(mine!.id, { answer: undefined });
  await makeWish(rollUp('two'), { againMs: 60_000 });
  expect(await claimWishes(4)).toEqual([]);
  await makeWish(rollUp('two'));
  expect(await claimWishes(4)).toHaveLength(1);
});

it('tells whoever made it of the error that it ended with', async () => {
  await makeWish(rollUp('three'));
  const [mine] = await claimWishes(4);
  await endWish(mine!.id, { error: new AppError('snapshot_damaged', 'Damaged.', { damaged: ['a'] }) });
  await expect(readWish(rollUp('three'))).rejects.toMatchObject({
    code: 'snapshot_damaged',
    details: { damaged: ['a'] },
  });
});

it('shows what waits, and how far it is while a worker makes it', async () => {
  expect(await findPreparation('four')).toBeNull();
  await makeWish(rollUp('four'));
  expect(await findPreparation('four')).toEqual({ task: 'roll-up', waitsFor: 'worker', share: null });
  await putPresence({ ...SIGN, role: 'web' });
  expect(await findPreparation('four')).toMatchObject({ waitsFor: 'worker' });
  await putPresence({ ...SIGN, id: 'worker', role: 'worker' });
  expect(await findPreparation('four')).toMatchObject({ waitsFor: 'turn' });
  await putPreparation('four', { task: 'evaluate', share: 0.25 });
  expect(await findPreparation('four')).toEqual({ task: 'evaluate', waitsFor: null, share: 0.25 });
  await removePreparation('four');
  expect(await findPreparation('four')).toMatchObject({ waitsFor: 'turn' });
});

const part = (prefix: string): Wish => ({
  kind: 'compare',
  snapshotId: 'five',
  previousId: 'four',
  policy: { hash: 'p' } as EffectivePolicy,
  scope: { prefix },
});

it('of parts to compare one waits at a time, however many are asked for', async () => {
  for (const prefix of ['a:', 'b:', 'c:']) await makeWish(part(prefix), { alone: true });
  expect(await readWish(part('b:'))).toBeNull();
  const claimed = (await claimWishes(9)).filter(({ wish }) => wish.kind === 'compare');
  expect(claimed.map(({ wish }) => wish)).toEqual([part('a:')]);
  await endWish(claimed[0]!.id, { answer: {} });
  await makeWish(part('b:'), { alone: true });
  expect(await readWish(part('b:'))).toEqual({ isOpen: true, answer: null });
});

const removeAll = async () => (await getDb(undefined)).deleteFrom('wishes').execute();
/** The claims of a dead worker run out. */
const endClaims = async () => (await getDb(undefined)).updateTable('wishes').set({ claimed_until: 0 }).execute();
const claim = async (max: number, idle?: boolean) => (await claimWishes(max, idle)).map(({ wish }) => wish);

it('is served alone after its worker has died, so that no other one is charged for what it does', async () => {
  await removeAll();
  await makeWish(rollUp('guilty'));
  await makeWish(rollUp('innocent'));
  expect(await claim(4)).toEqual([rollUp('guilty'), rollUp('innocent')]);
  for (let died = 1; died < 3; died++) {
    await endClaims();
    expect(await claim(4, false)).toEqual([]);
    expect(await claim(4)).toEqual([rollUp('guilty')]);
  }
  await endClaims();
  expect(await claim(4)).toEqual([rollUp('innocent')]);
  await expect(readWish(rollUp('guilty'))).rejects.toMatchObject({ code: 'too_large' });
  expect(await readWish(rollUp('innocent'))).toMatchObject({ isOpen: true });
});

it('waits for its turn: many of one instance hold up no other one', async () => {
  await removeAll();
  const evaluate = (snapshotId: string, hash: string): Wish => ({
    kind: 'evaluate',
    snapshotId,
    policy: { hash } as EffectivePolicy,
  });
  for (const hash of ['1', '2', '3']) await makeWish(evaluate('many', hash));
  await makeWish(evaluate('one', '1'));
  const [first, other, ...more] = await claimWishes(4);
  expect([first?.wish, other?.wish, more]).toEqual([evaluate('many', '1'), evaluate('one', '1'), []]);
  for (const { id } of [other!, first!]) await endWish(id, { answer: undefined });
  // The one that was served last comes last.
  await (await getDb(undefined)).updateTable('wishes').set({ ended_at: 1 }).where('id', '=', other!.id).execute();
  await makeWish(rollUp('one'));
  expect(await claim(1)).toEqual([rollUp('one')]);
  expect(await claim(4)).toEqual([evaluate('many', '2')]);
});

it('is served although the clock went back', async () => {
  await removeAll();
  await makeWish(rollUp('back'));
  const [{ id } = { id: '' }] = await claimWishes(4);
  const future = Date.now() + 3_600_000;
  const db = await getDb(undefined);
  await db.updateTable('wishes').set({ claimed_until: future }).execute();
  expect(await claim(4)).toEqual([rollUp('back')]);
  await endWish(id, { answer: undefined });
  await db.updateTable('wishes').set({ ended_at: future }).execute();
  await makeWish(rollUp('back'));
  expect(await readWish(rollUp('back'))).toMatchObject({ isOpen: true });
  await putPreparation('back', { task: 'roll-up', share: null });
  await db.updateTable('preparations').set({ said_at: future }).execute();
  expect(await findPreparation('back')).toMatchObject({ waitsFor: 'turn' });
});

it('ends with an error when its workers have died three times, and is not made again at once', async () => {
  await removeAll();
  await makeWish(rollUp('six'));
  for (let died = 0; died < 3; died++) {
    const six = (await claimWishes(9)).find(({ wish }) => 'snapshotId' in wish && wish.snapshotId === 'six');
    expect(six).toBeDefined();
    await endClaims();
  }
  expect((await claimWishes(9)).map(({ wish }) => wish)).not.toContainEqual(rollUp('six'));
  await expect(readWish(rollUp('six'))).rejects.toMatchObject({ code: 'too_large' });
  await makeWish(rollUp('six'));
  await expect(readWish(rollUp('six'))).rejects.toMatchObject({ code: 'too_large' });
});
