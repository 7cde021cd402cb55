import { expect, it } from 'vitest';
import type { FindingsReport, KeyVerdict } from '@/lib/model/rules/findings';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { listRules } from '@/lib/policies/list-rules';
import { createLintOutput, type LintedName } from './lint-output';
import { formatFindingsSarif } from './sarif';

const violated = (rule: string, title: string | null = null) => ({
  ...{ rule, title, strength: 'mandatory' as const, exempt: false },
});
const linted = (written: string, verdict: Partial<KeyVerdict> = {}, file = 'my keys/a%b#c.txt'): LintedName => ({
  ...{ file, line: 3, written, name: written, type: null },
  verdict: { violated: [], unknown: [], suggested: null, ...verdict },
});
const { rules } = listRules();
const fine = linted('user:a:1');
const bad = linted('A', { violated: [violated('N8'), violated('X-own', '\u001b[31mred\u2028')], suggested: 'a' });
const reported = (format: 'text' | 'json' | 'markdown' | 'sarif', parts: LintedName[][]) => {
  const output = createLintOutput(format, 'p', rules);
  return parts.map((part) => output.part(part)).join('') + output.end();
};

it.each(['text', 'json', 'markdown', 'sarif'] as const)('%s is the same in one part and in several', (format) => {
  const all = [fine, bad, fine, bad, bad];
  expect(reported(format, [[fine], [bad, fine], [bad], [bad]])).toBe(reported(format, [all]));
  expect(reported(format, [all])).not.toMatch(format === 'json' ? /\u001b/ : /[\u001b\u2028]/);
});

it('JSON and SARIF are whole also where nothing was found', () => {
  expect(JSON.parse(reported('json', []))).toEqual({ profile: 'p', names: [], checked: 0 });
  expect(JSON.parse(reported('json', [[fine], [bad]]))).toMatchObject({ names: [{}, { suggested: 'a' }], checked: 2 });
  expect(JSON.parse(reported('sarif', [[fine]])).runs[0]).toMatchObject({
    results: [],
    tool: { driver: { rules: [] } },
  });
});

it('SARIF describes the rules it names, a team’s own too', () => {
  const { driver } = JSON.parse(reported('sarif', [[fine, bad]])).runs[0].tool;
  expect(driver.rules.map((rule: { id: string }) => rule.id)).toEqual(['N8', 'X-own']);
  expect(driver.rules[1].shortDescription.text).toBe('\\u001b[31mred\\u2028');
});

it('SARIF of an instance has what code hosts ask of every result and rule: a file, a line, and what it is about', () => {
  const options = { match: null, databases: null };
  const manifest = { instanceName: 'Orders //prod:6379 ü', options } as SnapshotManifest;
  const finding = {
    ...{ status: 'violated', strength: 'mandatory', keys: 1, bytes: 1, groups: null, unknownKeys: 0, exemptKeys: 0 },
    example: null,
  };
  const report = {
    rules: [
      { ...finding, rule: 'N8', title: null },
      { ...finding, rule: 'X-own', title: 'own' },
    ],
  } as unknown as FindingsReport;
  const { results, tool } = JSON.parse(formatFindingsSarif(manifest, report, rules)).runs[0];
  for (const { locations } of results) {
    const { artifactLocation, region } = locations[0].physicalLocation;
    // The path is relative, like paths in a repository.
    expect(new URL(artifactLocation.uri, 'file:///repository/').href).toBe(
      `file:///repository/${artifactLocation.uri}`,
    );
    expect([artifactLocation.uri, region.startLine]).toEqual(['Orders%20__prod%3A6379%20%C3%BC', 1]);
    expect(locations[0].logicalLocations[0].fullyQualifiedName).toBe('Orders //prod:6379 ü');
  }
  for (const rule of tool.driver.rules)
    for (const said of [rule.shortDescription, rule.fullDescription, rule.help]) expect(said.text).not.toBe('');
});

it('SARIF names files as URIs', () => {
  const uris = JSON.parse(reported('sarif', [[bad, linted('A', { violated: [violated('N8')] }, '/a b/ü.txt')]])).runs[0]
    .results;
  expect(uris.map((one: { locations: object[] }) => one.locations[0])).toEqual(
    ['my%20keys/a%25b%23c.txt', 'my%20keys/a%25b%23c.txt', 'file:///a%20b/%C3%BC.txt'].map((uri) => ({
      physicalLocation: { artifactLocation: { uri }, region: { startLine: 3 } },
    })),
  );
});
