import { afterAll, beforeAll, expect, it } from 'vitest';
import type { NamesReport } from '@/lib/model/reports/reports';
import type { SnapshotRef } from '@/lib/snapshots/query/with-source';
import { madeRows } from '@/test/snapshots/made-rows';
import { dataFolder, makeSealed } from '@/test/snapshots/make-snapshot';
import { runReport } from './run-report';

/** Each entry has a name, the styles of its words, and whether they are mixed. */
const NAMES: [string, string[], boolean][] = [
  ['user:42', ['lower'], false],
  ['userProfile:42', ['camelCase'], false],
  ['user:basicInfo:1', ['lower', 'camelCase'], false],
  ['user_profile:basicInfo', ['camelCase', 'snake_case'], true],
  ['order-items:7', ['kebab-case'], false],
  ['USER:7', ['UPPER'], false],
  ['USER:ID_CARD', ['UPPER', 'UPPER_SNAKE'], false],
  ['user:BASE', ['lower', 'UPPER'], true],
  ['UserAdmin:8', ['PascalCase'], false],
  ['user:basic.info:1', ['lower', 'dotted'], false],
  ['1700000000', [], false],
  ['用户:1', [], false],
  ['a\0b', [], false],
];

let ref: SnapshotRef;
let clean: () => Promise<void>;
beforeAll(async () => {
  const folder = await dataFolder();
  clean = folder.clean;
  const rows = madeRows(NAMES.length, 3).slice(0, NAMES.length);
  ref = await makeSealed(
    folder.root,
    'styles',
    NAMES.map(([name], i) => ({ ...rows[i]!, bytesOfName: Buffer.from(name) })),
  );
});
afterAll(() => clean());

const ask = async (query = {}): Promise<NamesReport> => (await runReport(ref, 'names', query)).report;

it('counts every style a name has, and names in more than one', async () => {
  const { styles, mixed } = await ask();
  const wanted = new Map<string, number>();
  for (const [, some] of NAMES) for (const style of some) wanted.set(style, (wanted.get(style) ?? 0) + 1);
  expect(new Map(styles.map(({ style, keys }) => [style, keys]))).toEqual(wanted);
  expect(mixed).toBe(NAMES.filter(([, , isMixed]) => isMixed).length);
});

it('shows a name that is in that style alone', async () => {
  const { styles } = await ask();
  expect(Object.fromEntries(styles.map(({ style, example }) => [style, example]))).toMatchObject({
    lower: 'user:42',
    camelCase: 'userProfile:42',
    UPPER: 'USER:7',
    dotted: 'user:basic.info:1',
  });
});

it('takes another delimiter for what it is', async () => {
  const { segments, characters } = await ask({ delimiter: '_' });
  expect(segments.find(({ segments: n }) => n === 2)!.keys).toBe(2);
  expect(characters.map(({ keys }) => keys).reduce((a, b) => a + b)).toBe(NAMES.length);
  for (const delimiter of [']', '\\', '^', "'", '-', '[]', '/'])
    expect((await ask({ delimiter })).keys, delimiter).toBe(NAMES.length);
});
