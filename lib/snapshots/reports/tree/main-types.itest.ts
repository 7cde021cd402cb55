import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { SnapshotRef } from '@/lib/snapshots/query/with-source';
import { runReport } from '@/lib/snapshots/reports/run-report';
import { makeRollup } from '@/lib/snapshots/rollup/make-rollup';
import { madeRows } from '@/test/snapshots/made-rows';
import { dataFolder, makeLive, makeSealed } from '@/test/snapshots/make-snapshot';

/** Many small strings next to one zset that takes most of the memory, and a branch where no size is known. */
const KEYS = [
  ...Array.from({ length: 60 }, (_, i) => [`game:name:${i}`, 'string', 100] as const),
  ['game:rank:all', 'zset', 1_000_000] as const,
  ['game:rank:day', 'set', 50_000] as const,
  ...Array.from({ length: 3 }, (_, i) => [`dark:key:${i}`, 'hash', -1] as const),
];

let refs: [string, SnapshotRef][];
let clean: () => Promise<void>;
beforeAll(async () => {
  const folder = await dataFolder();
  clean = folder.clean;
  const made = madeRows(KEYS.length);
  const rows = KEYS.map(([name, type, bytes], i) => ({
    ...made[i]!,
    ...{ bytesOfName: Buffer.from(name), node: 0, db: 0, type, bytes, expireAt: -2 },
  }));
  const rolled = await makeSealed(folder.root, 'rolled', rows);
  await makeRollup(rolled);
  refs = [
    ['roll-up', rolled],
    ['keys', await makeSealed(folder.root, 'keys', rows)],
    ['live', await makeLive(folder.root, 'live', rows)],
  ];
});
afterAll(() => clean());

const level = async (ref: SnapshotRef, query: ReportQuery) =>
  (await runReport(ref, 'tree', { sort: 'name', limit: 1000, ...query })).report;

it('says which type takes most of the memory, whichever most keys have', async () => {
  for (const [name, ref] of refs)
    for (const query of [{}, { bytesMin: 0 }]) {
      const found = (await level(ref, query)).children.map(({ segment, heaviestType }) => [segment, heaviestType]);
      expect([name, found.filter(([segment]) => segment === 'game')]).toEqual([name, [['game', 'zset']]]);
      const dark = found.filter(([segment]) => segment === 'dark');
      expect([name, dark]).toEqual([name, 'bytesMin' in query ? [] : [['dark', null]]]);
    }
});

it('says of the parts of a node which type is theirs, by what is asked for', async () => {
  const [, ref] = refs[0]!;
  const partsBy = async (nested: 'keys' | 'bytes') =>
    (await level(ref, { nested })).children
      .find(({ segment }) => segment === 'game')
      ?.below?.map(({ segment, type }) => [segment, type]);
  expect(await partsBy('bytes')).toEqual([
    ['rank', 'zset'],
    ['name', 'string'],
  ]);
  expect(await partsBy('keys')).toEqual([
    ['name', 'string'],
    ['rank', 'set'],
  ]);
});
