import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FRAMEWORKS } from '@/lib/model/names/frameworks';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { FrameworksReport } from '@/lib/model/reports/reports';
import { JAVA_HEADER, JAVA_STRING } from '@/lib/model/text/java-string';
import type { SnapshotRef } from '@/lib/snapshots/query/with-source';
import { makeRollup } from '@/lib/snapshots/rollup/make-rollup';
import { KEYSPACES } from '@/test/golden/keyspaces';
import { type MadeRow, madeRows } from '@/test/snapshots/made-rows';
import { dataFolder, makeLive, makeSealed } from '@/test/snapshots/make-snapshot';
import { runReport } from './run-report';

let folder: Awaited<ReturnType<typeof dataFolder>>;
beforeAll(async () => {
  folder = await dataFolder();
});
afterAll(() => folder.clean());

function toBytes(name: string): Buffer {
  if (!name.startsWith(JAVA_STRING)) return Buffer.from(name);
  const text = Buffer.from(name.slice(JAVA_STRING.length));
  return Buffer.concat([Buffer.from([...JAVA_HEADER, text.length >> 8, text.length & 255]), text]);
}

type Key = readonly [name: string, type: string];
function makeRows(keys: readonly Key[]): MadeRow[] {
  const rows = madeRows(keys.length, 3);
  return keys.map(([name, type], i) => ({ ...rows[i]!, bytesOfName: toBytes(name), type, bytes: 100 }));
}
const ask = async (ref: SnapshotRef, query: ReportQuery = {}): Promise<FrameworksReport> =>
  (await runReport(ref, 'frameworks', query)).report;
let made = 0;
const askAbout = async (keys: readonly Key[]) => ask(await makeSealed(folder.root, `f${made++}`, makeRows(keys)));
const toCounts = ({ frameworks }: FrameworksReport) => Object.fromEntries(frameworks.map(({ id, keys }) => [id, keys]));

it('takes each example of the catalogue for a key of its framework', async () => {
  const keys = FRAMEWORKS.flatMap(({ forms }) => forms.map(({ example, type }): Key => [example, type]));
  const report = await askAbout(keys);
  expect(toCounts(report)).toEqual(Object.fromEntries(FRAMEWORKS.map(({ id, forms }) => [id, forms.length])));
  expect(report).toMatchObject({ keys: keys.length, bytes: keys.length * 100, bytesUnknown: 0 });
  for (const { id, example, places, placeCount, keys: count, violates } of report.frameworks) {
    const { forms, violates: listed } = FRAMEWORKS.find((framework) => framework.id === id)!;
    expect(forms.map((form) => form.example)).toContain(example);
    expect(violates).toEqual(listed);
    expect(places.reduce((sum, place) => sum + place.keys, 0)).toBe(count);
    expect(placeCount).toBe(places.length);
    const whole = forms.filter((form) => form.whole).map((form) => form.example);
    expect(
      places
        .filter(({ end }) => end)
        .map(({ path }) => path)
        .sort(),
    ).toEqual(whole.sort());
  }
});

/** Names that only resemble those of a framework, by what they are. */
const NEAR_MISSES: [string, Key[]][] = [
  [
    'names that only contain such a text',
    [
      ['my:spring:session:1', 'hash'],
      ['x-celery-task-meta-1', 'string'],
    ],
  ],
  [
    'a longer word',
    [
      ['redissonx', 'string'],
      ['bullet:mail:id', 'string'],
      ['zcc:k:1', 'hash'],
      ['rqueue:job:1', 'hash'],
    ],
  ],
  [
    'the word alone',
    [
      ['bull', 'string'],
      ['bull:mail', 'string'],
      ['spring:session', 'string'],
      ['stat:total:1', 'string'],
    ],
  ],
  [
    'words of the team',
    [
      ['shop_database', 'hash'],
      ['user_cache:17', 'string'],
      ['database_1:queues', 'list'],
    ],
  ],
  [
    'an id that is no version',
    [
      [':user:1', 'string'],
      ['::1', 'string'],
      [':a:b', 'string'],
    ],
  ],
  [
    'a class of Ruby or PHP',
    [
      ['User::Profile:1', 'string'],
      ['App::User', 'string'],
      ['a::b', 'hash'],
    ],
  ],
  [
    'a session of another program',
    [
      ['session:17', 'hash'],
      ['sess:17', 'string'],
      ['sess:abc:def', 'string'],
    ],
  ],
  [
    'views without a digest',
    [
      ['views/products/17', 'string'],
      ['production:views:17', 'string'],
    ],
  ],
  [
    'posts of another program',
    [
      ['blog:posts:17', 'string'],
      ['options:alloptions', 'string'],
    ],
  ],
  [
    'a text that looks like the mark of Java',
    [
      ['\\\\java\\user', 'string'],
      ['java\\user', 'string'],
    ],
  ],
];

it('takes for no framework what only resembles one', async () => {
  expect(toCounts(await askAbout(NEAR_MISSES.flatMap(([, keys]) => keys)))).toEqual({});
});

describe('names that many programs use', () => {
  const COMMON: Key[] = [
    ['queue:default', 'list'],
    ['retry', 'zset'],
    ['celery', 'list'],
    ['unacked', 'hash'],
  ];
  it('prove nothing alone', async () => {
    expect(toCounts(await askAbout(COMMON))).toEqual({});
  });
  it('count beside a name that proves the framework, with the right type', async () => {
    const keys: Key[] = [...COMMON, ['stat:failed:2026-11-01', 'string'], ['queue:x', 'hash'], ['dead', 'string']];
    const report = await askAbout(keys);
    expect(toCounts(report)).toEqual({ sidekiq: 3 });
    expect(report.frameworks[0]!.places).toEqual([
      { path: 'queue:', end: false, keys: 1, glob: null },
      { path: 'retry', end: true, keys: 1, glob: null },
      { path: 'stat:failed:', end: false, keys: 1, glob: null },
    ]);
  });
});

it('names the prefixes that are there, most keys first, and counts those that are not listed', async () => {
  const keys = Array.from({ length: 30 }, (_, i): Key[] =>
    Array.from({ length: i + 1 }, (_, j) => [`${'abcdefghijklmnopqrstuvwxyzABCD'[i]}x::k${j}`, 'string']),
  ).flat();
  const [found] = (await askAbout(keys)).frameworks;
  expect(found).toMatchObject({ id: 'spring-cache', keys: keys.length, placeCount: 30 });
  expect(found!.places).toHaveLength(20);
  expect(found!.places.slice(0, 2)).toEqual([
    { path: 'Dx::', end: false, keys: 30, glob: null },
    { path: 'Cx::', end: false, keys: 29, glob: null },
  ]);
});

describe('the keyspace of a dozen frameworks', () => {
  const COUNTS = {
    ...{ 'spring-session': 140, laravel: 80, django: 70, bullmq: 51, celery: 50, 'rails-cache': 40 },
    ...{ 'spring-java-names': 40, magento: 30, wordpress: 30, sidekiq: 29, redisson: 20 },
    ...{ 'php-sessions': 20, 'spring-cache': 20 },
  };
  let sealed: SnapshotRef;
  beforeAll(async () => {
    sealed = await makeSealed(folder.root, 'whole', KEYSPACES.frameworks());
  });

  it('is counted exactly, with and without sums and while the scan runs', async () => {
    const report = await ask(sealed);
    expect(toCounts(report)).toEqual(COUNTS);
    expect(report.keys).toBe(KEYSPACES.frameworks().length);
    await makeRollup(sealed);
    expect(await ask(sealed, { limit: 7 })).toEqual(report);
    expect(await ask(await makeLive(folder.root, 'live', KEYSPACES.frameworks()))).toEqual(report);
  });

  it('is counted under a filter', async () => {
    expect(toCounts(await ask(sealed, { prefix: 'spring:session:sessions:expires:' }))).toEqual({
      'spring-session': 60,
    });
    expect(toCounts(await ask(sealed, { type: ['zset', 'set'] }))).toEqual({ 'spring-session': 20, bullmq: 1 });
    expect(await ask(sealed, { prefix: 'nothing' })).toEqual({ keys: 0, bytes: 0, bytesUnknown: 0, frameworks: [] });
  });
});
