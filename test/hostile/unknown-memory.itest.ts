import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { alignColumns } from '@/cli/units';
import { REPORTS } from '@/lib/model/reports/registry';
import { REPORT_TABLES } from '@/lib/model/reports/report-tables';
import { UNKNOWN } from '@/lib/model/snapshots/facts-page';
import { readFindings, readRuleFindings } from '@/lib/rules/findings/read-findings';
import { toPolicy } from '@/lib/rules/policy/effective-policy';
import { presets } from '@/lib/rules/profiles/presets';
import type { SnapshotRef } from '@/lib/snapshots/query/with-source';
import { runReport } from '@/lib/snapshots/reports/run-report';
import { AS_OF, madeRows } from '@/test/snapshots/made-rows';
import { dataFolder, makeSealed } from '@/test/snapshots/make-snapshot';

/**
 * With a server before 4.0, or a user without MEMORY USAGE, the size of every key is unknown. No page and no API
 * response may show that as 0 bytes.
 */
let ref: SnapshotRef;
let clean: () => Promise<void>;

beforeAll(async () => {
  const folder = await dataFolder();
  clean = folder.clean;
  ref = await makeSealed(
    folder.root,
    'old',
    madeRows(600, 4).map((row) => ({ ...row, bytes: UNKNOWN })),
  );
});
afterAll(() => clean());

/** Finds objects that count keys and their bytes, anywhere in a response. */
function* counted(value: unknown, at = ''): Generator<{ at: string; keys: number; bytes: unknown }> {
  if (typeof value !== 'object' || value === null) return;
  const { keys, bytes } = value as Record<string, unknown>;
  if (typeof keys === 'number' && bytes !== undefined) yield { at, keys, bytes };
  for (const [key, inner] of Object.entries(value)) yield* counted(inner, `${at}.${key}`);
}
const zeros = (answer: unknown) => [...counted(answer)].filter(({ keys, bytes }) => keys > 0 && bytes === 0);

describe('where memory is unknown', () => {
  it.each(REPORTS)('the tables of %s say so', async (name) => {
    const { report } = await runReport(ref, name, {});
    // biome-ignore lint/suspicious/noExplicitAny: one row of the registry for each report
    const tables = (REPORT_TABLES[name] as any)(report, AS_OF) as ReturnType<typeof REPORT_TABLES.types>;
    const found = tables.flatMap(({ columns: heads, rows }) => {
      const memory = heads.findIndex(({ head }) => head === 'memory');
      const keys = heads.findIndex(({ head }) => head === 'keys');
      // The report of names sums the bytes of names, which are known.
      if (memory < 0 || keys < 0 || name === 'names') return [];
      return rows.filter((row) => Number(row[keys]) > 0 && row[memory] === 0);
    });
    expect(found).toEqual([]);
  });

  it('findings and every rule say so, to programs too', async () => {
    const policy = { ...toPolicy(presets.get('default')!), owners: [{ prefix: 'user:', team: 'accounts' }] };
    const report = await readFindings(ref, policy, {});
    expect(report.mandatory.keys).toBeGreaterThan(0);
    expect(report.rules.filter(({ keys }) => (keys ?? 0) > 0).length).toBeGreaterThan(3);
    expect(zeros(report)).toEqual([]);
    for (const { rule, keys } of report.rules)
      if ((keys ?? 0) > 0) expect([rule, zeros(await readRuleFindings(ref, policy, rule, {}))]).toEqual([rule, []]);
  });
});

it('a name of thousands of bytes does not push the figures of other keys out of sight', () => {
  const text = alignColumns(
    ['key', 'memory'],
    [
      ['k'.repeat(4000), '1 B'],
      ['short', '2 B'],
    ],
    [1],
  );
  expect(text.split('\n').find((line) => line.startsWith('short'))!.length).toBeLessThan(100);
});
