import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EffectivePolicy, ProfileBody } from '@/lib/model/rules/policy';
import { readStoredGroups } from '@/lib/rules/groups/stored-groups';
import { type CompiledPolicy, compilePolicy, toPolicyFacts } from '@/lib/rules/policy/compile-policy';
import { toPolicy } from '@/lib/rules/policy/effective-policy';
import { ROLLUP_FILE } from '@/lib/rules/policy/rules-folder';
import { presets } from '@/lib/rules/profiles/presets';
import { readManifest } from '@/lib/snapshots/folder/manifest';
import { Where } from '@/lib/snapshots/key-query/where-clause';
import { type SnapshotRef, withSource } from '@/lib/snapshots/query/with-source';
import { sealSnapshot } from '@/lib/snapshots/seal/seal-snapshot';
import { LONG } from '@/test/long-form.mjs';
import { policyOfFewRules } from '@/test/rules/few-rules';
import { cutFiles, TINY } from '@/test/snapshots/cut-files';
import { type MadeRow, madeRows } from '@/test/snapshots/made-rows';
import { dataFolder, makeManifest, writeParts } from '@/test/snapshots/make-snapshot';
import { ROLLUP_LIMITS, type RollupLimits } from './cut-levels';
import { evaluate } from './evaluate';
import { groupZonesByProfile, rollupSql } from './pass-sql';
import { writeRollup } from './write-rollup';

let data: Awaited<ReturnType<typeof dataFolder>>;
beforeAll(async () => {
  data = await dataFolder();
});
afterAll(() => data.clean());

const basic = policyOfFewRules(toPolicy(presets.get('default')!));
const mixed: EffectivePolicy = policyOfFewRules({
  ...basic,
  hash: '00000000000000aa',
  profiles: [...basic.profiles, ...toPolicy(presets.get('S3')!).profiles],
  prefixes: [
    { prefix: 'shop:', profile: basic.profiles.length },
    { prefix: '用户:', profile: basic.profiles.length },
  ],
  exemptions: [{ rule: '*', prefix: 'shop:shard:', pattern: null }],
  owners: [{ prefix: 'im:', team: 'chat' }],
});
const MADE = madeRows(LONG ? 3000 : 700);
/** Each range plans all rules again, so the short form has only half a dozen. */
const OF_MADE = LONG ? TINY : { fileRows: 200 };

async function sealed(name: string, rows: readonly MadeRow[], files = TINY): Promise<SnapshotRef> {
  const dir = path.join(data.root, name);
  await sealSnapshot(dir, await writeParts(dir, rows, 300), {
    manifest: ({ keys, fileBytes }) => makeManifest({ id: name, state: 'sealed', keys, fileBytes }),
  });
  await cutFiles(dir, files);
  const ref = { dir, manifest: await readManifest(dir) };
  expect(ref.manifest.files.length).toBeGreaterThan(4);
  return ref;
}

interface RollupRow extends Record<string, unknown> {
  template: string;
  zone: number;
  violated: string;
  keys: number;
  bytes: number;
  bytesUnknown: number;
  rest: boolean;
}
const COLUMNS = `profile, zone, template, violated::VARCHAR AS violated, exempted::VARCHAR AS exempted, notEvaluated::VARCHAR AS notEvaluated,
  keys::DOUBLE AS keys, bytes::DOUBLE AS bytes, bytesUnknown::DOUBLE AS bytesUnknown, firstName, lastName, rest`;

/** The expected rows, by one statement over all keys. */
const atOnce = (ref: SnapshotRef, compiled: CompiledPolicy) =>
  withSource(ref, async (source) => {
    const rows: RollupRow[] = [];
    for (const run of groupZonesByProfile(compiled.zones)) {
      const where = new Where();
      const sql = rollupSql(source.keys, where, compiled, run);
      rows.push(...(await source.query<RollupRow>(`SELECT ${COLUMNS} FROM (${sql})`, where.values)));
    }
    return rows;
  });

async function byRanges(ref: SnapshotRef, compiled: CompiledPolicy, limits: RollupLimits, signal?: AbortSignal) {
  const folder = path.join(ref.dir, 'rules-made');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  return withSource(ref, async (source) => {
    const rests = await writeRollup(source, compiled, folder, { limits, signal });
    const rows = await source.query<RollupRow>(`SELECT ${COLUMNS} FROM '${path.join(folder, ROLLUP_FILE)}'`);
    const numbers = rests
      ? await source.query<{ template: string; children: number }>(
          `SELECT template, children FROM '${path.join(folder, 'rests.parquet')}'`,
        )
      : [];
    return { rows, numbers };
  });
}

const sorted = (rows: readonly RollupRow[]) => rows.map((row) => JSON.stringify(row)).sort();

/** Levels with thousands of children, above, below and next to ids; the largest children may be anywhere. */
function wideRows(): MadeRow[] {
  const model = madeRows(1).at(-1)!;
  const word = (i: number) =>
    String.fromCharCode(97 + (i % 26), 97 + (Math.floor(i / 26) % 26), 97 + Math.floor(i / 676));
  const many = (count: number) => (LONG ? count : count / 2);
  const names = [
    ...Array.from({ length: many(700) }, (_, i) => `${word(i)}:x`),
    ...Array.from({ length: many(400) }, (_, i) => `big:${word(i)}:y`),
    ...Array.from({ length: many(900) }, (_, i) => `of:${i}:${word(i % many(300))}`),
    ...Array.from({ length: many(600) }, (_, i) => `large:${word(i % 2)}:${i}`),
    ...Array.from({ length: many(300) }, (_, i) => `Deep:a:b:${word(i)}_Z`),
    ...Array.from({ length: many(500) }, (_, i) => `loose${word(i)}`),
    '',
    ':',
    'big:',
    'big',
  ];
  return names.map((name, i) => ({ ...model, node: 0, db: 0, bytesOfName: Buffer.from(name), bytes: i % 7 ? i : -1 }));
}

const NARROW: RollupLimits = {
  width: 40,
  rangeRows: 300,
  rows: LONG ? 2000 : 1000,
  crowdedRows: LONG ? 300 : 380,
  sliceKeys: LONG ? 200 : 350,
};

describe('range by range', () => {
  it.each([
    ['one profile', basic],
    ['profiles, exemptions, owners', mixed],
  ])('gives what one statement gives: %s', async (_what, policy) => {
    const ref = await sealed(`same-${policy.hash}`, MADE, OF_MADE);
    const compiled = compilePolicy(policy, toPolicyFacts(ref.manifest));
    const expected = await atOnce(ref, compiled);
    expect(expected.length).toBeGreaterThan(40);
    const { rows } = await byRanges(ref, compiled, ROLLUP_LIMITS);
    expect(sorted(rows)).toEqual(sorted(expected));
    // The result in slices is the same.
    const sliced = await byRanges(ref, compiled, { ...ROLLUP_LIMITS, crowdedRows: 1, sliceKeys: LONG ? 150 : 300 });
    expect(sorted(sliced.rows)).toEqual(sorted(expected));
  });

  it('ends between ranges when it is told to', async () => {
    const ref = await sealed('aborted', MADE, OF_MADE);
    const compiled = compilePolicy(basic, toPolicyFacts(ref.manifest));
    const stop = new AbortController();
    const folder = path.join(ref.dir, 'rules-made');
    await mkdir(folder);
    const ended = withSource(ref, (source) => {
      let asked = 0;
      // Each range is written by one statement, which uses the connection once.
      const stopping = Object.defineProperty({ ...source }, 'connection', {
        get() {
          if (++asked === 2) stop.abort(new Error('enough'));
          return source.connection;
        },
      });
      return writeRollup(stopping, compiled, folder, { signal: stop.signal });
    });
    await expect(ended).rejects.toThrow('enough');
    expect(await readdir(path.join(folder, 'ranges'))).toHaveLength(2);
  });
});

it('copies answers about groups from a policy that asks the same of groups', async () => {
  const ref = await sealed('groups', MADE, OF_MADE);
  const N16 = basic.profiles[0]!.body.rules.N16!;
  const rules = { ...basic.profiles[0]!.body.rules, N16: { ...N16, params: { ...N16.params, atMost: 33 } } };
  const longer = {
    ...basic,
    hash: '00000000000000bb',
    profiles: [withRules(basic, rules), ...basic.profiles.slice(1)],
  };
  const answers = async (policy: EffectivePolicy) => {
    const compiled = compilePolicy(policy, toPolicyFacts(ref.manifest));
    let asked = 0;
    const { groupsHash } = await evaluate(ref, compiled, undefined, ({ done }) => {
      asked += done > 0.25 ? 1 : 0;
    });
    return { groupsHash, asked, stored: await readStoredGroups(ref.dir, policy.hash) };
  };
  const [first, second, other] = [await answers(basic), await answers(longer), await answers(mixed)];
  expect(first.asked).toBeGreaterThan(0);
  expect(second).toEqual({ ...first, asked: 0 });
  expect(other.groupsHash).not.toBe(first.groupsHash);
  expect(other.asked).toBeGreaterThan(0);
});

const withRules = ({ profiles: [base] }: EffectivePolicy, rules: ProfileBody['rules']) => ({
  ...base!,
  body: { ...base!.body, rules },
});

describe('wide levels', () => {
  let ref: SnapshotRef;
  beforeAll(async () => {
    ref = await sealed('wide', wideRows());
  });

  it('are cut: the largest stay and are whole, the sums are those of all', async () => {
    const compiled = compilePolicy(basic, toPolicyFacts(ref.manifest));
    const expected = await atOnce(ref, compiled);
    const { rows, numbers } = await byRanges(ref, compiled, NARROW);
    expect(rows.length).toBeLessThan(expected.length / 2);
    const sums = (some: readonly RollupRow[], of: (row: RollupRow) => string) => {
      const found: Record<string, [number, number, number]> = {};
      for (const row of some) {
        const sum = found[of(row)] ?? [0, 0, 0];
        found[of(row)] = sum;
        sum[0] += row.keys;
        sum[1] += row.bytes;
        sum[2] += row.bytesUnknown;
      }
      return found;
    };
    const masks = (row: RollupRow) => `${row.zone}/${row.violated}/${row.exempted}/${row.notEvaluated}`;
    expect(sums(rows, masks)).toEqual(sums(expected, masks));
    // A child with a row of its own has all of its keys there, at every level with no cut above it.
    const rests = new Set(rows.filter(({ rest }) => rest).map(({ template }) => template));
    expect(rests).toContain('');
    expect(rests).toContain('big:');
    const paths = (row: RollupRow) => row.template.split(':').map((_, i, all) => all.slice(0, i + 1).join(':'));
    const below = (some: readonly RollupRow[], path: string) =>
      sums(
        some.filter(
          (row) =>
            (!row.rest || row.template.length > path.length) &&
            (row.template === path || row.template.startsWith(`${path}:`)),
        ),
        masks,
      );
    for (const path of new Set(rows.filter(({ rest }) => !rest).flatMap(paths)))
      expect([path, below(rows, path)]).toEqual([path, below(expected, path)]);
    // The largest children are kept.
    for (const large of ['large:aaa:{int}', 'large:baa:{int}'])
      expect(rows.some(({ template, rest }) => !rest && template === large)).toBe(true);
    const children = new Set(expected.flatMap(({ template }) => /^big:(.+?)(:|$)/.exec(template)?.[1] ?? []));
    const stayed = new Set(
      rows.flatMap(({ template, rest }) => (rest ? [] : (/^big:(.+?)(:|$)/.exec(template)?.[1] ?? []))),
    );
    const cut = numbers.filter(({ template }) => template === 'big:').reduce((n, row) => n + row.children, 0);
    expect(stayed.size).toBeGreaterThan(10);
    expect(stayed.size + cut).toBe(children.size);
  });
});
