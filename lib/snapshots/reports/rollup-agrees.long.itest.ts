import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foldSegment } from '@/lib/model/names/fold-segment';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { ReportName, TreeNode, TreeReport } from '@/lib/model/reports/reports';
import { type SnapshotRef, withSource } from '@/lib/snapshots/query/with-source';
import { makeRollup } from '@/lib/snapshots/rollup/make-rollup';
import { openRollup } from '@/lib/snapshots/rollup/open-rollup';
import { ROLLUP_FOLDER } from '@/lib/snapshots/rollup/rollup-folder';
import { findRollupScope } from '@/lib/snapshots/rollup/scope';
import { LONG } from '@/test/long-form.mjs';
import { type MadeRow, madeRows, random } from '@/test/snapshots/made-rows';
import { dataFolder, makeSealed } from '@/test/snapshots/make-snapshot';
import { runReport } from './run-report';

/**
 * On random keyspaces, at random paths and under random filters with bounds between classes, the roll-up must give the
 * same answers as the keys. (reports.itest.ts compares the answers from keys with figures computed by hand.)
 */
let root: string;
let clean: () => Promise<void>;
beforeAll(async () => {
  const folder = await dataFolder();
  root = folder.root;
  clean = folder.clean;
});
afterAll(() => clean());

const WORDS = ['user', 'cart', 'order', 'v', '', '{tag}', '\\{int}', '{int}', 'utf', '用户', 'x.y', "a'b"];

/**
 * Names with few different ids in some places and many in others, ids joined to words, wide levels of words, and empty
 * segments.
 */
function randomNames(seed: number, count: number): Buffer[] {
  const r = random(seed);
  const int = (n: number) => Math.floor(r() * n);
  const pick = <T>(some: readonly T[]) => some[int(some.length)]!;
  const segment = [
    () => pick(WORDS),
    () => String(int(12)),
    () => String(int(5000)),
    () => `user_${int(30)}`,
    () => `shard-${int(8)}`,
    () => `{${int(400)}}`,
    () => `2026-0${1 + int(9)}`,
    () => Array.from({ length: 8 }, () => int(16).toString(16)).join(''),
    () => `w${String.fromCodePoint(97 + int(26))}${String.fromCodePoint(97 + int(26))}`,
  ];
  // A keyspace has a few shapes of names, each with a few kinds of segments.
  const shapes = Array.from({ length: 6 }, () => Array.from({ length: 1 + int(4) }, () => pick(segment)));
  const names = new Set<string>();
  for (let i = 0; i < count; i++)
    names.add(
      pick(shapes)
        .map((make) => make())
        .join(':'),
    );
  return [...names].map((name) => Buffer.from(name));
}

const withNames = (rows: readonly MadeRow[], names: readonly Buffer[]): MadeRow[] =>
  names.map((bytesOfName, i) => ({ ...rows[i]!, bytesOfName }));

const FILTERS: ReportQuery[] = [
  {},
  {},
  { type: ['hash', 'unknown'] },
  { db: [5] },
  { node: [0, 2] },
  { encoding: ['listpack'] },
  { expiry: 'none' },
  { expiry: 'any' },
  { expiry: 'unknown' },
  { bytesMin: 256, bytesMax: 4095 },
  { bytesMin: 300 },
  { search: 'a' },
  { ttlMin: 60, ttlMax: 86_399.999 },
  { idleMin: 86_400 },
  { big: true },
  { type: ['string'], bytesMin: 64, expiry: 'any' },
  { lengthMin: 2 },
  { search: ':' },
  { search: 'ART' },
  { search: 'r:1', type: ['hash'] },
  { bytesMin: 300, search: 'u' },
  { big: true, lengthMax: 3000 },
];

function randomPath(names: readonly Buffer[], r: () => number): ReportQuery {
  const name = names[Math.floor(r() * names.length)]!.toString();
  const segments = name.split(':');
  const depth = Math.floor(r() * segments.length);
  const upTo = segments.slice(0, depth);
  if (r() < 0.2) return { prefix: name.slice(0, Math.floor(r() * name.length)) };
  if (r() < 0.5) return { prefix: upTo.map((s) => `${s}:`).join('') };
  return { template: upTo.map((s) => `${foldSegment(s) ?? s}:`).join('') };
}

const ASKED: ReportName[] = [
  'overview',
  'types',
  'sizes',
  'names',
  'patterns',
  'idle',
  'ttl',
  'bigkeys',
  'keys',
  'slots',
  'tree',
];

/** The number of folded ids may be unknown, and folding under a filter is compared separately. */
const comparable = (report: unknown) =>
  JSON.parse(JSON.stringify(report), (key, value) =>
    ['folded', 'topPrefixes', 'prefixCount'].includes(key) ? undefined : value,
  );

/** Number of queries on one keyspace, and how many of them run at a time. */
const QUESTIONS = 24;
const AT_A_TIME = 4;
const KEYS = LONG ? 3000 : 1200;

/**
 * The short form runs some reports for each query: one that uses cells and others, so that each report meets several
 * filters.
 */
const TURNS: ReportName[][] = [
  ['overview', 'ttl', 'keys'],
  ['patterns', 'idle', 'names', 'bigkeys'],
  ['types', 'sizes', 'slots'],
];
function askedAt(turn: number, { tree = true }: { tree?: boolean } = {}): ReportName[] {
  return LONG ? ASKED : [...TURNS[turn % TURNS.length]!, ...(tree ? (['tree'] as const) : [])];
}

describe.each(LONG ? [11, 12, 13] : [11])('keyspace %i', (seed) => {
  let asked: { keys: SnapshotRef; rolled: SnapshotRef; questions: { path: ReportQuery; filter: ReportQuery }[] };
  let answered = 0;
  beforeAll(async () => {
    const names = randomNames(seed, KEYS);
    const rows = withNames(madeRows(names.length, seed), names);
    const keys = await makeSealed(root, `keys-${seed}`, rows);
    const rolled = await makeSealed(root, `rolled-${seed}`, rows, {
      fileRows: KEYS / (LONG ? 12 : 6),
    });
    expect(rolled.manifest.files.length).toBeGreaterThan(3);
    await makeRollup(rolled);
    const r = random(seed * 31);
    const questions = Array.from({ length: QUESTIONS }, (_, i) => ({
      path: i < 3 ? {} : randomPath(names, r),
      filter: FILTERS[i % FILTERS.length]!,
    }));
    asked = { keys, rolled, questions };
  });

  it.each(Array.from({ length: QUESTIONS / AT_A_TIME }, (_, i) => i * AT_A_TIME))(
    'is answered the same from the roll-up and from the keys, from question %i on',
    async (from) => {
      const { keys, rolled, questions } = asked;
      for (const [i, { path, filter }] of questions.slice(from, from + AT_A_TIME).entries()) {
        const query = { ...path, ...filter };
        answered += (await isAnswered(rolled, query)) ? 1 : 0;
        // The short form compares every other tree, and those without a filter.
        const tree = i % 2 === 0 || Object.keys(filter).length === 0;
        for (const name of from + i === 0 ? ASKED : askedAt(from + i, { tree })) {
          const label = `${name} ${JSON.stringify(query)}`;
          if (name === 'tree') {
            await compareTrees(keys, rolled, path, filter, label);
            continue;
          }
          const [a, b] = [(await runReport(keys, name, query)).report, (await runReport(rolled, name, query)).report];
          expect(comparable(b), label).toEqual(comparable(a));
        }
      }
    },
  );

  it('and the roll-up was asked, not the keys alone', () => expect(answered).toBeGreaterThan(5));
});

const isAnswered = (ref: SnapshotRef, query: ReportQuery): Promise<boolean> =>
  withSource(ref, async (source) => findRollupScope(await openRollup(source), 'cells', query) !== null);

const FEW_CUTS: ReportQuery[] = [
  { sort: '-bytes', limit: 4 },
  { sort: 'ttl', limit: 3 },
  { match: '?2*', limit: 3 },
];
const CUTS: ReportQuery[] = LONG
  ? [...FEW_CUTS, { sort: 'name', limit: 2 }, { match: 'u' }, { match: '*{int}*', sort: 'name' }]
  : FEW_CUTS;

async function compareTrees(
  keys: SnapshotRef,
  rolled: SnapshotRef,
  path: ReportQuery,
  filter: ReportQuery,
  label: string,
): Promise<void> {
  const ask = async (ref: SnapshotRef, query: ReportQuery) =>
    (await runReport(ref, 'tree', { ...query, limit: 1000, sort: 'name' })).report;
  const got = await ask(rolled, { ...path, ...filter });
  if (Object.keys(filter).length === 0) {
    expect(comparable(got), label).toEqual(comparable(await ask(keys, path)));
    const expected = await ask(keys, path);
    for (const cut of CUTS) {
      const [a, b] = [
        await runReport(keys, 'tree', { ...path, ...cut }),
        await runReport(rolled, 'tree', { ...path, ...cut }),
      ];
      expect(comparable(b.report), `${label} ${JSON.stringify(cut)}`).toEqual(comparable(a.report));
    }
    for (const child of got.children.filter(({ folded }) => folded !== null))
      expect(expected.children.find(({ path: same }) => same === child.path)?.folded, label).toBe(child.folded);
    return;
  }
  if (!(await isAnswered(rolled, path))) {
    expect(comparable(got), label).toEqual(comparable(await ask(keys, { ...path, ...filter })));
    return;
  }
  // Under a filter a level folds the same ids as without one.
  const forms = new Set((await ask(keys, path)).children.flatMap((child) => (child.folds ? [child.segment] : [])));
  const single = await ask(keys, { ...path, ...filter, fold: false });
  expect(single.rest, label).toBeNull();
  expect(new Map(got.children.map(sums)), label).toEqual(new Map(foldedBy(single, forms)));
}

const sums = (node: TreeNode): [string, unknown] => [
  `${node.folds} ${node.segment}`,
  [
    node.keys,
    node.bytes,
    node.bytesUnknown,
    node.leafKeys,
    node.branchKeys,
    node.noExpiry,
    node.bigkeys,
    node.maxBytes,
  ],
];

function foldedBy(report: TreeReport, forms: ReadonlySet<string>): [string, unknown][] {
  const found = new Map<string, TreeNode>();
  for (const child of report.children) {
    const form = foldSegment(child.segment);
    const folds = form !== null && forms.has(form);
    const node = { ...child, folds, segment: folds ? form : child.segment };
    const known = found.get(`${folds} ${node.segment}`);
    if (!known) found.set(`${folds} ${node.segment}`, node);
    else {
      for (const field of ['keys', 'bytes', 'bytesUnknown', 'leafKeys', 'branchKeys', 'noExpiry', 'bigkeys'] as const)
        known[field] += node[field];
      known.maxBytes = Math.max(known.maxBytes ?? -1, node.maxBytes ?? -1);
      if (known.maxBytes < 0) known.maxBytes = null;
    }
  }
  return [...found.values()].map(sums);
}

describe('a keyspace of wide levels', () => {
  it('is cut where it is wide and answered the same', async () => {
    const word = (i: number) =>
      Array.from({ length: 6 }, (_, at) => String.fromCodePoint(97 + (Math.floor(i / 7 ** at) % 7))).join('');
    // A level of more than 2000 words, which is wide.
    const names = Array.from({ length: LONG ? 9000 : 6300 }, (_, i) =>
      Buffer.from(
        i % 3 === 0 ? `session:${word(i)}` : i % 3 === 1 ? `shop:${word(i)}:x` : `few:${i % 5}:n${i % 2}:${i}`,
      ),
    );
    const rows = withNames(madeRows(names.length, 5), names);
    const keys = await makeSealed(root, 'wide-keys', rows);
    const rolled = await makeSealed(root, 'wide-rolled', rows, { fileRows: 4000 });
    await makeRollup(rolled);
    expect(await isAnswered(rolled, {})).toBe(true);
    expect(await isAnswered(rolled, { prefix: `session:${word(0)}` })).toBe(false);
    for (const [q, query] of [
      {},
      { prefix: 'session:' },
      { prefix: 'shop:' },
      { prefix: `shop:${word(1)}:` },
      { prefix: 'none:' },
      { template: 'few_{int}:', type: ['hash'] },
      { prefix: 'few:' },
      { prefix: 'few:3:', type: ['hash'] },
      { template: 'few:{int}:n1:' },
    ].entries())
      for (const name of askedAt(q)) {
        const [a, b] = [
          (await runReport(keys, name, { ...query, limit: 20 })).report,
          (await runReport(rolled, name, { ...query, limit: 20 })).report,
        ];
        expect(comparable(b), `${name} ${JSON.stringify(query)}`).toEqual(comparable(a));
      }
  });
});

describe('a keyspace of few templates', () => {
  const names = Array.from({ length: LONG ? 2400 : 1200 }, (_, i) => {
    const hex = (i * 2_654_435_761).toString(16).padStart(9, '0');
    return [
      `shop:user:${i}:profile`,
      `shop:user:${i}:cart`,
      `shop:Order:2026-0${1 + (i % 3)}:${i}`,
      `cache:${i % 2 ? hex : hex.toUpperCase()}`,
      `im:{room:${i % 40}}:member:${i}`,
      `mail:${i}@b.org:CART`,
      `x:{int}:${i}`,
      `用户:资料:${i}`,
      `file:Zm9vYmFyMTIz${i}xQ==`,
    ][i % 9]!;
  });
  const paths: ReportQuery[] = [
    ...[{}, { prefix: 'shop:' }, { prefix: 'sho' }, { template: 'shop:user:{int}:' }, { prefix: 'shop:Order:' }],
    ...[{ prefix: 'im:' }, { prefix: 'im:{room:17}' }, { template: 'x:\\{int}:' }, { prefix: 'x:' }],
  ];
  const filters: ReportQuery[] = [
    ...[{}, { search: 'cart' }, { search: 'CART', lengthMin: 2 }, { search: 'room' }, { search: '{int}' }],
    ...[{ search: '户' }, { search: '1:p' }, { search: 'f' }, { bytesMin: 300 }, { lengthMin: 2 }, { slotMax: 9000 }],
  ];
  /**
   * The short form has each filter and each path once: texts that words contain, that ids may contain, and that nothing
   * on the path contains.
   */
  const few: [ReportQuery, ReportQuery[]][] = [
    [{}, [{}, { search: 'f' }, { search: '户' }, { slotMax: 9000 }]],
    [{ prefix: 'shop:' }, [{ search: 'cart' }, { search: '1:p' }]],
    [{ prefix: 'sho' }, [{ search: 'CART', lengthMin: 2 }]],
    [{ template: 'shop:user:{int}:' }, [{ bytesMin: 300 }]],
    [{ prefix: 'shop:Order:' }, [{ lengthMin: 2 }]],
    [{ prefix: 'im:' }, [{ search: 'room' }]],
    [{ prefix: 'im:{room:17}' }, [{ search: 'room' }, {}]],
    [{ template: 'x:\\{int}:' }, [{ search: '{int}' }]],
    [{ prefix: 'x:' }, [{ search: '{int}' }]],
  ];
  let keys: SnapshotRef;
  let rolled: SnapshotRef;
  beforeAll(async () => {
    const rows = withNames(
      madeRows(names.length, 8),
      names.map((name) => Buffer.from(name)),
    );
    rows[5]!.bytesOfName = Buffer.from([...Buffer.from('mail:5@b.org:'), 0xff]);
    keys = await makeSealed(root, 'few-keys', rows);
    rolled = await makeSealed(root, 'few-rolled', rows, { fileRows: LONG ? 200 : 250 });
    await makeRollup(rolled);
  });

  const asked = LONG ? paths.map((path): (typeof few)[number] => [path, filters]) : few;
  it.each(asked)('is answered the same at %j, whatever is searched', async (path, some) => {
    for (const filter of some)
      for (const name of askedAt(asked.findIndex((one) => one[0] === path) + some.indexOf(filter))) {
        const query = { ...path, ...filter };
        const label = `${name} ${JSON.stringify(query)}`;
        if (name === 'tree') await compareTrees(keys, rolled, path, filter, label);
        else {
          const [a, b] = [(await runReport(keys, name, query)).report, (await runReport(rolled, name, query)).report];
          expect(comparable(b), label).toEqual(comparable(a));
        }
      }
  });

  it('asks no key for a text that words hold, and the keys for one that ids may hold', async () => {
    expect(await isAnswered(rolled, { prefix: 'shop:', search: 'cart' })).toBe(true);
    expect(await isAnswered(rolled, { prefix: 'shop:', search: '1:p' })).toBe(false);
    // Base64 may contain any word.
    expect(await isAnswered(rolled, { search: 'cart' })).toBe(false);
  });

  const ofChildren: [ReportQuery, ReportQuery[]][] = LONG
    ? filters.map((filter) => [filter, paths.slice(0, 6)])
    : [
        [{}, [{}]],
        [{ search: 'cart' }, [{ prefix: 'shop:' }]],
        [{ search: '1:p' }, [{ prefix: 'sho' }]],
        [{ bytesMin: 300 }, [{ template: 'shop:user:{int}:' }]],
      ];
  it.each(ofChildren)('says of each child what its keys say, under %j', async (filter, some) => {
    for (const path of some) {
      const { children, keys: all } = (await runReport(rolled, 'tree', { ...path, ...filter, limit: 1000 })).report;
      const { fold: _, ...query } = { fold: true, ...filter };
      expect(all).toBe((await runReport(keys, 'keys', { ...path, ...query, limit: 1 })).report.total);
      for (const child of children.filter(({ leafKeys, branchKeys }) => leafKeys === 0 || branchKeys === 0)) {
        const below = { ...query, template: child.path, ...(child.branchKeys === 0 && { exact: true }) };
        const label = JSON.stringify([path, below]);
        const list = (await runReport(keys, 'keys', { ...below, limit: 1 })).report;
        expect([child.keys, child.bytes, child.example], label).toEqual([
          list.total,
          list.totalBytes,
          list.rows[0]?.name,
        ]);
        const { types } = (await runReport(keys, 'types', below)).report;
        expect(child.types, label).toEqual(Object.fromEntries(types.map((one) => [one.type ?? 'unknown', one.keys])));
        const overview = (await runReport(keys, 'overview', below)).report;
        expect([child.noExpiry, child.bigkeys], label).toEqual([overview.expiry.none, overview.bigkeys]);
      }
    }
  });
});

describe('a roll-up', () => {
  it('goes on behind the last finished file, and comes to the same', async () => {
    const count = LONG ? 2000 : 800;
    const limits = { fileRows: count / (LONG ? 10 : 4) };
    const names = randomNames(3, count);
    const rows = withNames(madeRows(names.length, 3), names);
    const ref = await makeSealed(root, 'stopped', rows, limits);
    const stop = new AbortController();
    const stopped = makeRollup(ref, {
      signal: stop.signal,
      onProgress: ({ done }) => done === 3 && stop.abort(new Error('stopped')),
    });
    await expect(stopped).rejects.toThrow('stopped');
    expect(await isAnswered(ref, {})).toBe(false);
    const done: number[] = [];
    const made = await makeRollup(ref, { onProgress: (progress) => done.push(progress.done) });
    const other = await makeSealed(root, 'straight', rows, limits);
    expect(await makeRollup(other)).toMatchObject({ paths: made.paths, cells: made.cells });
    // The short form compares one report on cells, one on storms and one on slots.
    for (const name of LONG ? ASKED : (['overview', 'ttl', 'slots'] as const))
      expect((await runReport(ref, name, {})).report, name).toEqual((await runReport(other, name, {})).report);
  });

  it.runIf(LONG)('goes on with nothing of another division of the files', async () => {
    const count = LONG ? 2000 : 500;
    const limits = { fileRows: count / (LONG ? 10 : 4) };
    const ref = await makeSealed(root, 'divided', madeRows(count), limits);
    const { files } = ref.manifest;
    const straight = (await runReport(ref, 'types', {})).report;
    const stop = new AbortController();
    const onProgress = ({ done }: { done: number }) => done === 3 && stop.abort(new Error('stopped'));
    await expect(makeRollup(ref, { signal: stop.signal, onProgress })).rejects.toThrow('stopped');
    // There are as many files, but the first is another one.
    const other = { ...ref.manifest, files: [files.at(-1)!, ...files.slice(1, -1), files[0]!] };
    await makeRollup({ ...ref, manifest: other });
    // With a limit it is another query, whose answer is not cached yet.
    expect((await runReport({ ...ref, manifest: other }, 'types', { limit: 7 })).report).toEqual(straight);
  });

  it('says how many ids a node stands for, however the level is sorted and cut', async () => {
    const names = Array.from({ length: 300 }, (_, i) => Buffer.from(`user:${i}`));
    const ref = await makeSealed(root, 'counted', withNames(madeRows(names.length, 4), names), {
      fileRows: LONG ? 40 : 90,
    });
    await makeRollup(ref);
    const query = { prefix: 'user:', fold: true, delimiter: ':', sort: '-bytes', limit: 5 };
    const { children } = (await runReport(ref, 'tree', query)).report;
    expect(children).toMatchObject([{ segment: '{int}', folds: true, folded: 300, keys: 300 }]);
    const some = (await runReport(ref, 'tree', { ...query, type: ['hash'] })).report.children;
    expect(some).toMatchObject([{ segment: '{int}', folds: true, folded: null }]);
  });

  it('that is damaged costs time, not answers', async () => {
    const ref = await makeSealed(root, 'damaged', madeRows(600, 6));
    const before = (await runReport(ref, 'tree', { sort: 'name' })).report;
    await makeRollup(ref);
    const CONTENTS = ['', 'null', 'PAR1 and nothing else PAR1'];
    let at = 0;
    for (const damage of ['cells.parquet', 'moments.parquet', 'paths.parquet', 'storms.parquet', 'rollup.json'])
      for (const content of LONG || damage === 'rollup.json' ? CONTENTS : [CONTENTS[at++ % CONTENTS.length]!]) {
        await writeFile(path.join(ref.dir, ROLLUP_FOLDER, damage), content);
        const again = { ...ref, manifest: { ...ref.manifest, id: `${damage} ${content}` } };
        expect(comparable((await runReport(again, 'tree', { sort: 'name' })).report), damage).toEqual(
          comparable(before),
        );
      }
  });

  it('is not believed when it was made of other keys', async () => {
    const ref = await makeSealed(root, 'renewed', madeRows(500, 2));
    // A crash has left the tables of some ranges.
    const parts = path.join(ref.dir, ROLLUP_FOLDER, 'parts');
    await mkdir(parts, { recursive: true });
    await writeFile(path.join(parts, '0000-cells.parquet'), 'half');
    await makeRollup(ref);
    expect(await readdir(path.join(ref.dir, ROLLUP_FOLDER))).not.toContain('parts');
    expect(await isAnswered(ref, {})).toBe(true);
    expect(await isAnswered({ ...ref, manifest: { ...ref.manifest, endedAt: 5 } }, {})).toBe(false);
  });
});
