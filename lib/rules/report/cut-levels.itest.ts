import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { TreeReport } from '@/lib/model/reports/reports';
import { NO_EXPIRY } from '@/lib/model/snapshots/facts-page';
import { type Combination, readCombinations } from '@/lib/rules/evaluate/combinations';
import { findEvaluationScope } from '@/lib/rules/evaluate/scope';
import { type EvaluatedSnapshot, ensureEvaluated, readRuleFindings } from '@/lib/rules/findings/read-findings';
import { toPolicy } from '@/lib/rules/policy/effective-policy';
import { presets } from '@/lib/rules/profiles/presets';
import { withSource } from '@/lib/snapshots/query/with-source';
import { runReport } from '@/lib/snapshots/reports/run-report';
import { LONG } from '@/test/long-form.mjs';
import { withFewRules } from '@/test/rules/few-rules';
import { AS_OF, type MadeRow, madeRows } from '@/test/snapshots/made-rows';
import { dataFolder, makeSealed } from '@/test/snapshots/make-snapshot';
import { buildRuleReport } from './rule-report';
import { addTreeFindings } from './tree-findings';

/**
 * Levels have more children than the roll-up keeps under its real limits. Answers about them must equal those from the
 * keys.
 */
const CHILDREN = 2300;
let data: Awaited<ReturnType<typeof dataFolder>>;
let prepared: EvaluatedSnapshot;
/** How cuts affect counts does not depend on the number of rules. */
const policy = toPolicy(withFewRules(presets.get('default')!));

const word = (i: number) =>
  String.fromCharCode(97 + (i % 26), 97 + (Math.floor(i / 26) % 26), 97 + (Math.floor(i / 676) % 26));

beforeAll(async () => {
  data = await dataFolder();
  const model = madeRows(1).at(-1)!;
  const names = [
    ...Array.from({ length: CHILDREN }, (_, i) => `${word(i)}:profile`),
    ...Array.from({ length: CHILDREN }, (_, i) => `big:${word(i)}:y`),
    ...Array.from({ length: CHILDREN }, (_, i) => `of:${i}:${word(i)}`),
    ...Array.from({ length: 300 }, (_, i) => `big:zzlarge:${i}`),
    ...Array.from({ length: 200 }, (_, i) => `zzlarge:userName:${i}`),
    ...Array.from({ length: 90 }, (_, i) => `zzlarge:user_name:${i}`),
  ];
  const rows: MadeRow[] = names.map((name, i) => ({
    ...model,
    node: 0,
    db: 0,
    bytesOfName: Buffer.from(name),
    bytes: i,
    expireAt: i % 3 === 0 ? NO_EXPIRY : AS_OF + 86_400_000 + i * 1000,
  }));
  prepared = await ensureEvaluated(await makeSealed(data.root, 'cut', rows), policy);
});
afterAll(() => data.clean());

const asked = <T>(use: Parameters<typeof withSource<T>>[1]) => withSource<T>(prepared.ref, use);
const sums = (rows: readonly Combination[]) => {
  const found: Record<string, { keys: number; bytes: number; unknown: number }> = {};
  for (const { violated, exempted, notEvaluated, keys, bytes, bytesUnknown } of rows) {
    const mask = `${violated}/${exempted}/${notEvaluated}`;
    const sum = found[mask] ?? { keys: 0, bytes: 0, unknown: 0 };
    found[mask] = sum;
    sum.keys += keys;
    sum.bytes += bytes;
    sum.unknown += bytesUnknown;
  }
  return found;
};

/** Each query uses another way, or another position relative to a cut. */
const short: [ReportQuery, known: boolean][] = [
  [{}, true],
  [{ template: 'big:' }, true],
  [{ template: 'of:{int}:' }, true],
  [{ template: 'big:zzlarge:{int}' }, true],
  [{ prefix: 'big:' }, true],
  // The keys of these are only in the rest.
  [{ template: `big:${word(2200)}:` }, false],
  [{ template: `of:{int}:${word(2200)}` }, false],
  [{ prefix: `${word(2200)}:` }, false],
  [{ prefix: `big:${word(2200)}` }, false],
  [{ prefix: 'b' }, true],
  [{ prefix: 'r' }, false],
  [{ template: 'nothing:' }, false],
];
const others: [ReportQuery, known: boolean][] = [
  [{ template: 'of:' }, true],
  [{ template: 'zzlarge:' }, true],
  [{ template: 'big:zzlarge:' }, true],
  [{ prefix: 'zzlarge:' }, true],
  [{ template: `${word(2200)}:` }, false],
];

it.each(LONG ? [...short, ...others] : short)('tells of %j what its keys say', async (query, known) => {
  const { compiled, meta } = prepared;
  expect(meta?.rests).toBe(true);
  await asked(async (source) => {
    expect((await findEvaluationScope(source, meta, query)) !== null).toBe(known);
    const expected = sums(await readCombinations(source, compiled, null, query));
    expect(sums(await readCombinations(source, compiled, meta, query))).toEqual(expected);
  });
});

it('lists the largest prefixes of a rule and counts the others', async () => {
  const { compiled, meta } = prepared;
  const queries: ReportQuery[] = [{}, { template: 'big:' }, { template: 'of:' }, { template: 'zzlarge:' }];
  await asked(async (source) => {
    for (const [i, query] of queries.entries())
      for (const id of LONG ? ['N7', 'N9', 'T1'] : i === 0 ? ['N9', 'T1'] : [i === 1 ? 'N7' : 'T1']) {
        const page = { ...query, limit: 3 };
        const keys = await buildRuleReport(source, compiled, null, id, page);
        const rollup = await buildRuleReport(source, compiled, meta, id, page);
        expect([id, query, rollup.prefixCount]).toEqual([id, query, keys.prefixCount]);
        expect(rollup.finding).toMatchObject({ status: keys.finding.status, keys: keys.finding.keys });
        expect(rollup.prefixes[0]?.keys).toBe(keys.prefixes[0]?.keys);
      }
  });
  expect((await readRuleFindings(prepared.ref, policy, 'T1', {})).prefixCount).toBeGreaterThan(700);
});

it('has a number for every child of a tree level, also for those in the rest', async () => {
  const { compiled, meta } = prepared;
  for (const query of [
    { sort: 'name', limit: 400 },
    { template: 'big:', limit: 400 },
  ] as ReportQuery[]) {
    const { report } = await runReport(prepared.ref, 'tree', query);
    const found = await asked((source) => addTreeFindings(source, compiled, meta!, query, report as TreeReport));
    expect(found.children.length).toBeGreaterThan(300);
    expect(found.children.filter(({ findings }) => findings === null)).toEqual([]);
    for (const child of found.children.filter((_, i) => i % (LONG ? 30 : 110) === 0)) {
      const template = `${found.path}${child.segment}:`;
      const rows = await asked((source) => readCombinations(source, compiled, null, { template }));
      const rules = compiled.profiles[0]!.keyRules.filter(({ strength }) => strength === 'mandatory');
      const mask = rules.reduce((bits, { bit }) => bits | (1n << BigInt(bit)), 0n);
      const mandatory = rows.reduce((n, row) => n + ((row.violated & mask) === 0n ? 0 : row.keys), 0);
      expect([template, child.findings?.mandatory]).toEqual([template, mandatory]);
    }
  }
});

it('knows the styles of words in a rest, and says which projects it does not know', async () => {
  const n15 = await readRuleFindings(prepared.ref, policy, 'N15', {});
  expect(n15.finding).toMatchObject({ status: 'violated' });
  expect(n15.finding.unknownKeys).toBeGreaterThan(1000);
  expect(n15.groups.map(({ subject }) => subject)).toContain('zzlarge:');
});
