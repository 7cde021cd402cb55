import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ComparedKey } from '@/lib/model/comparison/comparison';
import type { Change } from '@/lib/model/comparison/comparison-words';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { makeRollup } from '@/lib/snapshots/rollup/make-rollup';
import { AS_OF, type MadeRow, madeRows } from '@/test/snapshots/made-rows';
import { dataFolder, makeSealed } from '@/test/snapshots/make-snapshot';
import { type ComparedRef, findCommonPart } from './common-part';
import { compareGroups, countChanges, listChanged } from './compare-groups';
import { compareKeys, type KeyDifferences, listChangedKeys } from './compare-keys';

let folder: Awaited<ReturnType<typeof dataFolder>>;
let now: ComparedRef;
let before: ComparedRef;
let oldRows: MadeRow[];
let newRows: MadeRow[];

const row = (name: string, over: Partial<MadeRow> = {}): MadeRow => ({
  bytesOfName: Buffer.from(name),
  node: 0,
  db: 0,
  type: 'hash',
  encoding: 'hashtable',
  expireAt: -1,
  bytes: 1000,
  length: 10,
  idle: 1,
  freq: -1,
  ...over,
});

/** The same keys later: each fifth is gone, each seventh uses more, each eleventh less, and others have come. */
function later(rows: readonly MadeRow[]): MadeRow[] {
  const kept = rows.flatMap((one, i): MadeRow[] => {
    if (i % 5 === 0) return [];
    if (one.bytes < 0) return [one];
    return [{ ...one, bytes: i % 7 === 0 ? one.bytes + 5000 : i % 11 === 0 ? Math.max(0, one.bytes - 7) : one.bytes }];
  });
  return [
    ...kept,
    ...Array.from({ length: 60 }, (_, i) => row(`fresh:${i}:cart`)),
    row('shop:cart:big', { bytes: 50_000_000, length: 90_000 }),
  ];
}

beforeAll(async () => {
  folder = await dataFolder();
  oldRows = [...madeRows(400, 3), row('shop:cart:big', { length: 90_000, bytes: 40_000_000 }), row('shop:cart:small')];
  newRows = later(oldRows);
  before = await makeSealed(folder.root, 'before', oldRows, { fileRows: 200 });
  now = await makeSealed(folder.root, 'now', newRows, { fileRows: 300 });
  await makeRollup(now);
  await makeRollup(before);
});
afterAll(() => folder.clean());

const identify = (one: MadeRow) => `${one.bytesOfName.toString('base64url')} ${one.db}`;
/** The changes as one would count them by hand: by bytes of names and database, the last of equal rows counts. */
function expectChanges(current: readonly MadeRow[], previous: readonly MadeRow[]) {
  const [a, b] = [current, previous].map((rows) => new Map(rows.map((one) => [identify(one), one])));
  const found: Record<Change, Set<string>> = { new: new Set(), gone: new Set(), grown: new Set(), shrunk: new Set() };
  for (const [id, one] of a!) {
    const old = b!.get(id);
    const value = old && (one.bytes >= 0 && old.bytes >= 0 ? [one.bytes, old.bytes] : [one.length, old.length]);
    if (!value) found.new.add(id);
    else if (value.every((n) => n! >= 0) && value[0] !== value[1])
      found[value[0]! > value[1]! ? 'grown' : 'shrunk'].add(id);
  }
  for (const id of b!.keys()) if (!a!.has(id)) found.gone.add(id);
  return found;
}

const listAll = async (differences: KeyDifferences, change: Change, more: object = {}, limit = 7) => {
  const common = findCommonPart(now, before);
  const rows: ComparedKey[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await listChangedKeys(now, before, common, differences.ranges, { change, limit, cursor, ...more });
    rows.push(...page.rows);
    if (page.nextCursor === null) return rows;
    cursor = page.nextCursor;
  }
};

describe('keys', () => {
  it('counts and lists exactly the keys that differ, in pages, whatever the ranges', async () => {
    const common = findCommonPart(now, before);
    const expected = expectChanges(newRows, oldRows);
    const differences = await compareKeys(now, before, common, {}, { cutRows: 90 });
    expect(differences.ranges.length).toBeGreaterThan(4);
    expect((await compareKeys(now, before, common)).changes).toEqual(differences.changes);
    for (const change of ['new', 'gone', 'grown', 'shrunk'] as const) {
      expect(differences.changes.keys[change].keys, change).toBe(expected[change].size);
      const rows = await listAll(differences, change);
      // Of a name that is too long only the beginning is kept.
      expect(rows.length).toBe(expected[change].size);
      const short = rows.filter(({ k }) => k !== null).map(({ k, db }) => `${k === '~' ? '' : k} ${db}`);
      expect(new Set(short).size).toBe(short.length);
      for (const id of short) expect(expected[change], change).toContain(id);
    }
    expect(differences.changes.largest.grown[0]).toMatchObject({ name: 'shop:cart:big', now: { bytes: 50_000_000 } });
  });

  it('says which bigkeys are new, gone and grown', async () => {
    const differences = await compareKeys(now, before, findCommonPart(now, before), { prefix: 'shop:cart:' });
    expect(differences.changes.bigkeys.grown).toBeGreaterThanOrEqual(1);
    const rows = await listAll(differences, 'grown', { big: true, prefix: 'shop:cart:' });
    expect(rows.map(({ name }) => name)).toContain('shop:cart:big');
    expect(rows).toHaveLength(differences.changes.bigkeys.grown);
  });

  it('compares a prefix or a folded path alone', async () => {
    const common = findCommonPart(now, before);
    for (const scope of [{ prefix: 'fresh:1' }, { template: 'fresh:{int}:' }]) {
      const { changes } = await compareKeys(now, before, common, scope);
      const wanted = 'prefix' in scope ? 11 : 60;
      expect([changes.keys.new.keys, changes.keys.gone.keys, changes.same]).toEqual([wanted, 0, 0]);
    }
  });

  it('finds nothing between a snapshot and itself, and refuses a cursor of another list', async () => {
    const { changes } = await compareKeys(now, now, findCommonPart(now, now));
    expect(Object.values(changes.keys).map(({ keys }) => keys)).toEqual([0, 0, 0, 0]);
    await expect(
      listChangedKeys(now, before, findCommonPart(now, before), [], { change: 'new', cursor: 'bm8' }),
    ).rejects.toMatchObject({ code: 'bad_request' });
  });
});

describe('groups', () => {
  it('adds up to the snapshots, and agrees between sums and keys', async () => {
    const common = findCommonPart(now, before);
    const sums = await compareGroups(now, before, common, {});
    expect(sums.totals.now.keys).toBe(now.manifest.keys);
    expect(sums.totals.before.keys).toBe(before.manifest.keys);
    for (const groups of Object.values(sums.groups))
      expect(groups.reduce((keys, group) => keys + (group.now?.keys ?? 0), 0)).toBe(now.manifest.keys);
    const fresh = sums.groups.prefix.find(({ name }) => name === 'fresh:');
    expect(fresh).toMatchObject({ change: 'new', before: null, now: { keys: 60, bytes: 60_000 } });
    // With slots the keys are read instead of the roll-up.
    const all: [number, number][] = [[0, 16383]];
    const fromKeys = await compareGroups(now, before, { ...common, slots: all }, { prefix: 'fresh:' });
    const fromSums = await compareGroups(now, before, common, { prefix: 'fresh:' });
    expect(fromKeys).toEqual(fromSums);
    expect(countChanges(fromSums.groups.template)).toEqual({ new: 1, gone: 0, grown: 0, shrunk: 0 });
    expect(listChanged(sums.groups.prefix, 'new').map(({ name }) => name)).toContain('fresh:');
  });
});

describe('the common part', () => {
  const ref = (over: Partial<SnapshotManifest>): ComparedRef => ({ ...now, manifest: { ...now.manifest, ...over } });
  const options = (over: object) => ({ options: { ...now.manifest.options, ...over } });
  const skipped = (address: string, db: number | null) => ({
    coverage: { ...now.manifest.coverage, partial: true, skipped: [{ address, db, reason: 'redis_unreachable' }] },
  });

  it('is what both scans were to read', () => {
    const part = findCommonPart(
      ref(options({ databases: [0, 1], match: 'shop:' })),
      ref(options({ match: 'shop:cart:' })),
    );
    expect(part).toMatchObject({ databases: [0, 1], prefix: 'shop:cart:', slots: null });
    expect(part.notes.map(({ code }) => code)).toEqual(['databases', 'prefix']);
    expect(findCommonPart({ ...now, databases: [3] }, now)).toMatchObject({ databases: [3] });
    expect(() => findCommonPart(ref(options({ databases: [0] })), ref(options({ databases: [1] })))).toThrow(
      'in common',
    );
    expect(() => findCommonPart(ref(options({ match: 'a' })), ref(options({ match: 'b' })))).toThrow('in common');
  });

  it('leaves out the slots of a node that was not read, and compares the others', async () => {
    const part = findCommonPart(now, ref(skipped('10.0.0.1:6379', null)));
    expect(part.slots).toEqual([
      [0, 5460],
      [10923, 16383],
    ]);
    expect(part.notes.map(({ code }) => code)).toEqual(['slots']);
    const { changes } = await compareKeys(now, now, part);
    expect(changes.same + changes.unknown).toBeGreaterThan(0);
    expect(changes.same + changes.unknown).toBeLessThan(now.manifest.keys);
  });

  it('says where keys may be missing that nobody can name', () => {
    const reason = { code: 'fewer_than_counted' as const, address: null, db: 0, params: { read: 1, counted: 2 } };
    const coverage = { ...now.manifest.coverage, partial: true, partialReasons: [reason] };
    expect(findCommonPart(ref({ coverage }), now).notes.map(({ code }) => code)).toEqual(['partialNow']);
    expect(findCommonPart(now, ref({ ...skipped('a:1', 2), nodes: [] })).exceptDatabases).toEqual([2]);
    expect(AS_OF).toBeGreaterThan(0);
  });
});
