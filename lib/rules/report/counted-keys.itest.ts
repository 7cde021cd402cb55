import { afterAll, beforeAll, expect, it } from 'vitest';
import { toFilter } from '@/components/reports/filter/filter-params';
import { buildPathFilterPatch } from '@/components/reports/filter/level-filter';
import type { ReportQuery } from '@/lib/model/reports/query';
import { NO_EXPIRY } from '@/lib/model/snapshots/facts-page';
import {
  type EvaluatedSnapshot,
  ensureEvaluated,
  readFindings,
  readRuleFindings,
} from '@/lib/rules/findings/read-findings';
import { toPolicy } from '@/lib/rules/policy/effective-policy';
import { presets } from '@/lib/rules/profiles/presets';
import { runReport } from '@/lib/snapshots/reports/run-report';
import { withFewRules } from '@/test/rules/few-rules';
import { madeRows } from '@/test/snapshots/made-rows';
import { dataFolder, makeSealed } from '@/test/snapshots/make-snapshot';

/**
 * A number that leads to a list of keys must equal the length of the list, even if one path is the beginning of
 * another.
 */
const NAMES = [
  ...['user:1', 'user:12', 'user:1:cart', 'user:', 'config', 'config:x', 'configuration', 'x:{int}', 'x:5'],
  ...['user/1/a', 'user/2/b'],
];
let data: Awaited<ReturnType<typeof dataFolder>>;
let prepared: EvaluatedSnapshot;
const policy = toPolicy(withFewRules(presets.get('default')!));

beforeAll(async () => {
  data = await dataFolder();
  const model = { ...madeRows(1).at(-1)!, node: 0, db: 0, expireAt: NO_EXPIRY };
  const rows = NAMES.map((name) => ({ ...model, bytesOfName: Buffer.from(name) }));
  prepared = await ensureEvaluated(await makeSealed(data.root, 'counted', rows), policy);
});
afterAll(() => data.clean());

const listed = async (query: ReportQuery) => (await runReport(prepared.ref, 'keys', query)).report.total;

it.each<ReportQuery>([{}, { prefix: 'user:1' }, { template: 'user:{int}' }])(
  'each pattern under %j leads to as many keys as it counts',
  async (query) => {
    const { report } = await runReport(prepared.ref, 'patterns', query);
    expect(report.patterns.length).toBeGreaterThan(0);
    for (const row of report.patterns) {
      const asked = toFilter({ ...query, ...buildPathFilterPatch(row.template, { exact: true }) });
      expect([row.template, await listed(asked)]).toEqual([row.template, row.keys]);
    }
  },
);

it.each<ReportQuery>([{}, { prefix: 'user:1' }, { prefix: 'user:' }])(
  'each prefix of a rule under %j leads to as many keys as it counts',
  async (query) => {
    // No key of this snapshot expires.
    const { prefixes, finding } = await readRuleFindings(prepared.ref, policy, 'T1', query);
    expect(prefixes.reduce((sum, row) => sum + row.keys, 0)).toBe(finding.keys);
    expect(finding.keys).toBeGreaterThan(1);
    for (const row of prefixes) {
      const asked = toFilter({ ...query, ...buildPathFilterPatch(row.path, { exact: row.end }), rule: ['T1'] });
      expect([row.path, row.end, await listed(asked)]).toEqual([row.path, row.end, row.keys]);
    }
  },
);

it('findings of a path that was cut otherwise are about its keys', async () => {
  const { total } = await readFindings(prepared.ref, policy, { template: 'user/{int}/', delimiter: '/' });
  expect(total.keys).toBe(2);
});
