import { expect, it } from 'vitest';
import type { KeyVerdict } from '@/lib/model/findings';
import { listRules } from '@/lib/policies/list-rules';
import { type LintedName, lintOutput } from './lint-output';

const broken = (rule: string, title: string | null = null) => ({
  ...{ rule, title, strength: 'mandatory' as const, exempt: false },
});
const linted = (written: string, verdict: Partial<KeyVerdict> = {}, file = 'my keys/a%b#c.txt'): LintedName => ({
  ...{ file, line: 3, written, name: written, type: null },
  verdict: { broken: [], unknown: [], suggested: null, ...verdict },
});
const { rules } = listRules();
const fine = linted('user:a:1');
const bad = linted('A', { broken: [broken('N8'), broken('X-own', '\u001b[31mred\u2028')], suggested: 'a' });
const told = (format: 'text' | 'json' | 'markdown' | 'sarif', parts: LintedName[][]) => {
  const output = lintOutput(format, 'p', rules);
  return parts.map((part) => output.part(part)).join('') + output.end();
};

it.each(['text', 'json', 'markdown', 'sarif'] as const)('%s is the same in one part and in several', (format) => {
  const all = [fine, bad, fine, bad, bad];
  expect(told(format, [[fine], [bad, fine], [bad], [bad]])).toBe(told(format, [all]));
  expect(told(format, [all])).not.toMatch(format === 'json' ? /\u001b/ : /[\u001b\u2028]/);
});

it('JSON and SARIF are whole also where nothing was found', () => {
  expect(JSON.parse(told('json', []))).toEqual({ profile: 'p', names: [], checked: 0 });
  expect(JSON.parse(told('json', [[fine], [bad]]))).toMatchObject({ names: [{}, { suggested: 'a' }], checked: 2 });
  expect(JSON.parse(told('sarif', [[fine]])).runs[0]).toMatchObject({ results: [], tool: { driver: { rules: [] } } });
});

it('SARIF describes the rules it names, a team’s own too', () => {
  const { driver } = JSON.parse(told('sarif', [[fine, bad]])).runs[0].tool;
  expect(driver.rules.map((rule: { id: string }) => rule.id)).toEqual(['N8', 'X-own']);
  expect(driver.rules[1].shortDescription.text).toBe('\\u001b[31mred\\u2028');
});

it('SARIF names files as URIs', () => {
  const uris = JSON.parse(told('sarif', [[bad, linted('A', { broken: [broken('N8')] }, '/a b/ü.txt')]])).runs[0]
    .results;
  expect(uris.map((one: { locations: object[] }) => one.locations[0])).toEqual(
    ['my%20keys/a%25b%23c.txt', 'my%20keys/a%25b%23c.txt', 'file:///a%20b/%C3%BC.txt'].map((uri) => ({
      physicalLocation: { artifactLocation: { uri }, region: { startLine: 3 } },
    })),
  );
});
