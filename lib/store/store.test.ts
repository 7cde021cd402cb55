import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SnapshotSummary } from '@/lib/model/reports/fleet';
import { temporaryData } from '@/test/temporary-data';
import { generateId } from './generate-id';
import { closeStore, runTransaction } from './open-store';
import { getSetting, setSetting } from './settings/settings';
import { deleteSnapshotRow, getSnapshotRow, insertSnapshot, listSnapshotRows, updateSnapshot } from './snapshots';

const row = (id: string, more: Partial<SnapshotSummary> = {}): SnapshotSummary => ({
  id,
  instanceId: 'i1',
  jobId: 'j1',
  state: 'live',
  startedAt: 1000,
  endedAt: null,
  keys: 0,
  bytes: null,
  bigkeys: null,
  noExpiryKeys: null,
  partial: false,
  isPart: false,
  pinned: false,
  baseline: false,
  fileBytes: null,
  score: null,
  mandatoryKeys: null,
  recommendedKeys: null,
  adviceKeys: null,
  policyHash: null,
  storedAt: null,
  heldBy: null,
  storeError: null,
  ...more,
});

let data: ReturnType<typeof temporaryData>;
beforeEach(() => {
  data = temporaryData();
});
afterEach(() => data.remove());

describe('ids', () => {
  it('sort by time, are unique, and are fit for paths and URLs', () => {
    const early = generateId(Date.UTC(2026, 0, 1));
    const late = generateId(Date.UTC(2090, 0, 1));
    expect(early < late).toBe(true);
    const many = Array.from({ length: 10_000 }, () => generateId());
    expect(new Set(many).size).toBe(10_000);
    for (const id of many.slice(0, 100)) expect(id).toMatch(/^[0-9a-z]{17}$/);
  });
});

describe('snapshots', () => {
  it('come back as they were written, unknown as null', async () => {
    await insertSnapshot(row('a'));
    expect(await getSnapshotRow('a')).toEqual(row('a'));
    expect(await getSnapshotRow('b')).toBeNull();
    const big = { state: 'sealed' as const, endedAt: 2000, keys: 9_000_000_000, bytes: 2 ** 52, partial: true };
    expect(await updateSnapshot('a', big)).toBe(true);
    expect(await getSnapshotRow('a')).toEqual(row('a', big));
    expect(await updateSnapshot('a', {})).toBe(true);
    expect(await updateSnapshot('b', big)).toBe(false);
  });

  it('are listed newest first, by instance or all, and go when deleted', async () => {
    await insertSnapshot(row('a', { startedAt: 1 }));
    await insertSnapshot(row('b', { startedAt: 3 }));
    await insertSnapshot(row('c', { startedAt: 2, instanceId: 'i2' }));
    expect((await listSnapshotRows(null)).map(({ id }) => id)).toEqual(['b', 'c', 'a']);
    expect((await listSnapshotRows('i1')).map(({ id }) => id)).toEqual(['b', 'a']);
    expect(await deleteSnapshotRow('b')).toBe(true);
    expect(await deleteSnapshotRow('b')).toBe(false);
    expect((await listSnapshotRows('i1')).map(({ id }) => id)).toEqual(['a']);
  });
});

describe('transactions', () => {
  it('do all or nothing', async () => {
    await expect(
      runTransaction(async (tx) => {
        await insertSnapshot(row('a'), tx);
        await setSetting('x', '1', tx);
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await getSnapshotRow('a')).toBeNull();
    expect(await getSetting('x')).toBeNull();
  });

  it('tell who forgot to hand the transaction over, instead of waiting for ever', async () => {
    await expect(runTransaction(async () => getSetting('x'))).rejects.toThrow('without its transaction');
    await expect(runTransaction(async () => runTransaction(async () => 1))).rejects.toThrow('without handing it over');
    expect(await getSetting('x')).toBeNull();
  });

  it('are one after the other within a process: what is read stays true until the end', async () => {
    await setSetting('n', '0');
    await Promise.all(
      Array.from({ length: 40 }, () =>
        runTransaction(async (tx) => setSetting('n', String(Number(await getSetting('n', tx)) + 1), tx)),
      ),
    );
    expect(await getSetting('n')).toBe('40');
  });
});

it('what a store held is there when it is opened again, whatever characters it is of', async () => {
  await insertSnapshot(row('a'));
  await setSetting('text', 'é 中 😀 \u202e "\'\\ \n');
  await closeStore();
  expect(await getSnapshotRow('a')).toEqual(row('a'));
  expect(await getSetting('text')).toBe('é 中 😀 \u202e "\'\\ \n');
});

it('lists sort by bytes, not by the rules of a language', async () => {
  for (const id of ['a:b', 'a.b', 'B', 'a', 'é']) await insertSnapshot(row(id));
  expect((await listSnapshotRows(null)).map(({ id }) => id)).toEqual(['é', 'a:b', 'a.b', 'a', 'B']);
});
