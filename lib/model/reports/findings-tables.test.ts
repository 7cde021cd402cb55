import { expect, it } from 'vitest';
import type { GroupFinding, RuleFinding } from '../rules/findings';
import { buildEvidenceTable, buildRuleGroupsTable, buildRulesTable } from './findings-tables';
import type { ReportTable } from './table';

/** The cells of a row by column head, as in the file. */
const readRows = ({ columns, rows }: ReportTable) =>
  rows.map((row) => Object.fromEntries(columns.map(({ head }, i) => [head, row[i]])));

const group = (subject: string, more: Partial<GroupFinding>): GroupFinding => ({
  ...{ subject, path: null, tag: null, minute: null, keys: 1, bytes: null, owner: null, exempt: false },
  ...{ figures: {}, example: null, ...more },
});

it('gives each figure of a group rule a column of its kind, empty where a group has it not', () => {
  const table = buildRuleGroupsTable([
    group('a:', { minute: 60_000, figures: { share: 0.5, second: 1000 } }),
    group('{b}', { figures: { savedBytes: 9, spellings: 'x, y' }, exempt: true }),
  ]);
  expect(table.columns.slice(6, -1)).toEqual([
    { head: 'share', kind: 'share' },
    { head: 'second', kind: 'text' },
    { head: 'savedBytes', kind: 'bytes' },
    { head: 'spellings', kind: 'number' },
  ]);
  expect(readRows(table)).toMatchObject([
    { group: 'a:', 'minute (UTC)': '1970-01-01T00:01:00.000Z', share: 0.5, second: '1970-01-01T00:00:01.000Z' },
    { group: '{b}', share: null, second: null, savedBytes: 9, spellings: 'x, y', exempted: 'yes' },
  ]);
});

it('has a column for the figures of a server rule', () => {
  const table = buildEvidenceTable([
    { address: 'a:1', figures: { hitRatio: 0.1 } },
    { address: 'b:1', figures: {} },
  ]);
  expect(readRows(table)).toEqual([
    { node: 'a:1', hitRatio: 0.1 },
    { node: 'b:1', hitRatio: null },
  ]);
});

it('leaves empty what could not be judged, and says what was missing', () => {
  const rule: RuleFinding = {
    ...{ rule: 'V1', title: null, kind: 'key', area: 'values', strength: 'mandatory', status: 'unknown', keys: 0 },
    ...{ bytes: 0, shareKeys: 0, shareBytes: 0, exemptKeys: 0, unknownKeys: 7, groups: null, example: null },
    ...{ server: null, change: null, missing: ['strlen', 'hlen'] },
  };
  expect(readRows(buildRulesTable([rule], () => 'title'))).toMatchObject([
    { title: 'title', status: 'unknown', keys: null, memory: null, 'share of keys': null, 'not evaluated': 7 },
  ]);
  expect(readRows(buildRulesTable([rule], () => ''))[0]).toMatchObject({
    'missing commands': 'strlen, hlen',
    new: null,
  });
});
