import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { SnapshotRef } from '@/lib/snapshots/query/with-source';
import { runReport } from '@/lib/snapshots/reports/run-report';
import { makeRollup } from '@/lib/snapshots/rollup/make-rollup';
import { madeRows } from '@/test/snapshots/made-rows';
import { dataFolder, makeLive, makeSealed } from '@/test/snapshots/make-snapshot';

const NAMES = [
  ...Array.from({ length: 60 }, (_, i) => `user:${i}:profile:${i % 3 ? 'name' : 'mail'}`),
  ...Array.from({ length: 40 }, (_, i) => `index:sku:${String.fromCharCode(97 + (i % 26))}${i}:x`),
  'users',
  'userland:a',
  'userland:b',
  'a*b:c',
  'axb:c',
  '用户:甲',
  '用😀户:乙',
  'a.b:c',
  "it's:c",
  'deep:one:two:three:four',
  'deep:one:two:three:five',
];
const BYTES = [
  Buffer.from([0xff, 0x00, 0x5a, 0x3a, 0x61]),
  Buffer.from([0xff, 0xe7, 0x94, 0xa8]),
  Buffer.from('aced0005740006636172743a61', 'hex'),
];

let refs: [string, SnapshotRef][];
let clean: () => Promise<void>;
beforeAll(async () => {
  const folder = await dataFolder();
  clean = folder.clean;
  const made = madeRows(NAMES.length + BYTES.length);
  const names = [...NAMES.map((name) => Buffer.from(name)), ...BYTES];
  const rows = names.map((bytesOfName, i) => ({ ...made[i]!, bytesOfName, node: 0, db: 0 }));
  const rolled = await makeSealed(folder.root, 'rolled', rows);
  await makeRollup(rolled);
  refs = [
    ['roll-up', rolled],
    ['keys', await makeSealed(folder.root, 'keys', rows)],
    ['live', await makeLive(folder.root, 'live', rows)],
  ];
}, 240_000);
afterAll(() => clean());

const level = async (ref: SnapshotRef, query: ReportQuery) =>
  (await runReport(ref, 'tree', { sort: 'name', limit: 1000, ...query })).report;

it('finds parts of a level by their beginning or a glob, and sums what it found', async () => {
  for (const [answers, ref] of refs)
    for (const [query, segments] of [
      [{ match: 'user' }, ['user', 'userland', 'users']],
      [{ match: 'user?' }, ['users']],
      [{ match: '*land' }, ['userland']],
      [{ match: 'a*b' }, ['a*b', 'a.b', 'axb']],
      [{ match: 'a.b' }, ['a.b']],
      [{ match: '用?户' }, ['用😀户']],
      [{ match: "it's" }, ["it's"]],
      [{ match: "' OR 1=1 --" }, []],
      [{ match: 'USER' }, []],
      [{ match: '(' }, []],
      [{ match: '[x-z]*' }, []],
      [{ match: 'a[.-Z]b' }, ['a.b']],
      [{ match: 'a\\*b' }, ['a*b']],
      [{ match: '\\[' }, []],
      [{ match: '\ud83d' }, []],
      [{ match: '{int', prefix: 'user:' }, ['{int}']],
      [{ match: '17', prefix: 'user:' }, []],
      [{ match: '17', prefix: 'user:', fold: false }, ['17']],
      [{ match: '\\xff' }, ['\\xff\\x00Z', '\\xff用']],
      [{ match: '\\xFF\\x00\\x5a' }, ['\\xff\\x00Z']],
      [{ match: '\\xff?' }, ['\\xff用']],
      [{ match: '\\xe7\\x94\\xa8\\xe6*' }, ['用户']],
      [{ match: '\\java\\*t' }, ['\\java\\cart']],
      [{ match: '\\java\\*ar' }, []],
      [{ match: '\\\\xff' }, ['\\xff\\x00Z', '\\xff用']],
      [{ match: 'u', type: ['hash'] }, null],
    ] as [ReportQuery, string[] | null][]) {
      const report = await level(ref, query);
      const label = [answers, query];
      if (segments) expect([...label, report.children.map((c) => c.segment)]).toEqual([...label, segments]);
      const sum = report.children.reduce((n, c) => n + c.keys, 0);
      expect([...label, report.childCount, report.keys, report.rest]).toEqual([
        ...label,
        report.children.length,
        sum,
        null,
      ]);
    }
});

it('pages through what it found', async () => {
  for (const [, ref] of refs) {
    const first = await level(ref, { match: 'user', limit: 2 });
    expect(first).toMatchObject({ childCount: 3, rest: { nodes: 1 } });
    const second = await level(ref, { match: 'user', limit: 2, cursor: first.nextCursor! });
    expect(second.children.map((c) => c.segment)).toEqual(['users']);
    expect(second.nextCursor).toBeNull();
  }
});

it('answers a hostile glob, whose every star could stand anywhere', async () => {
  for (const [, ref] of refs) {
    expect((await level(ref, { match: `${'*a'.repeat(127)}b` })).children).toEqual([]);
    expect((await level(ref, { match: `${'*?'.repeat(127)}b` })).children).toEqual([]);
  }
});

it('says where the only way down ends', async () => {
  for (const [answers, ref] of refs) {
    const ends = new Map((await level(ref, {})).children.map((c) => [c.path, c.endPath]));
    expect([answers, ends.get('index:'), ends.get('deep:')]).toEqual([answers, 'index:sku:', 'deep:one:two:three:']);
    expect([answers, ends.get('users'), ends.get('userland:')]).toEqual([answers, 'users', 'userland:']);
    if (answers === 'live') continue;
    const [user] = (await level(ref, { prefix: 'user:' })).children;
    expect([answers, user?.path, user?.endPath]).toEqual([answers, 'user:{int}:', 'user:{int}:profile:']);
  }
});

it('shows the largest parts of the largest children where the roll-up knows them', async () => {
  const [[, rolled], [, keys]] = refs as [[string, SnapshotRef], [string, SnapshotRef]];
  const report = await level(rolled, { nested: 'keys', sort: '-keys' });
  const below = (path: string) => report.children.find((child) => child.path === path)?.below;
  expect(below('user:')).toMatchObject([{ segment: '{int}', path: 'user:{int}:', keys: 60 }]);
  expect(below('deep:')?.map((part) => part.path)).toEqual(['deep:one:two:three:five', 'deep:one:two:three:four']);
  // The parts below the only way down must be the same as on that level itself.
  const sku = await level(rolled, { prefix: 'index:sku:', sort: '-keys', limit: 8 });
  expect(below('index:')?.map((p) => [p.path, p.keys])).toEqual(sku.children.map((c) => [c.path, c.keys]));
  expect((await level(rolled, {})).children.every((child) => child.below === undefined)).toBe(true);
  expect((await level(keys, { nested: 'keys' })).children.every((child) => child.below === undefined)).toBe(true);
});
