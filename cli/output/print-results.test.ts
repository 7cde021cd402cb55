import { expect, it } from 'vitest';
import type { FindingsReport, RuleFinding } from '@/lib/model/rules/findings';
import { makeManifest } from '@/test/snapshots/make-snapshot';
import { parseFailOn, violatesAny } from '../fail-on';
import { formatFindingsWarnings } from './print-results';

const rule = (id: string, strength: RuleFinding['strength'], status: RuleFinding['status']) =>
  ({ rule: id, strength, status }) as RuleFinding;
const report = {
  rules: [rule('V10', 'mandatory', 'unknown'), rule('C16', 'advice', 'unknown'), rule('T1', 'mandatory', 'violated')],
} as FindingsReport;
const manifest = makeManifest({ id: 's' });
const gate = (...strengths: RuleFinding['strength'][]) => ({ strengths, onlyNew: false });

it('tells what a passing pipeline has not seen, and nothing else', () => {
  expect(formatFindingsWarnings(manifest, report, gate('mandatory'))).toBe(
    'colonnade: Not evaluated, because facts are missing: V10.\n',
  );
  const without: FindingsReport = {
    ...report,
    rules: [{ ...rule('N6', 'recommended', 'unknown'), because: 'noOwners' }],
  };
  expect(formatFindingsWarnings(manifest, without, gate('recommended'))).toBe(
    'colonnade: Not evaluated, because facts are missing: N6 (no prefix has an owner).\n',
  );
  expect(formatFindingsWarnings(manifest, report, gate())).toBe('');
  const skipped = [{ address: '10.0.0.2:6379', db: null, reason: 'redis_unreachable' }];
  const partial = { ...manifest, coverage: { ...manifest.coverage, partial: true, skipped } };
  expect(formatFindingsWarnings(partial, { ...report, rules: [] }, gate('mandatory'))).toMatch(
    /^colonnade: The scan is incomplete: nodes skipped: 1/,
  );
});

it('lets a gate for new keys fail on those alone, and says what it cannot compare', () => {
  const change = (newKeys: number) => ({ newKeys, fixedKeys: 0, goneKeys: 0 });
  const key = { ...rule('T1', 'mandatory', 'violated'), kind: 'key' as const };
  const server = { ...rule('C1', 'mandatory', 'violated'), kind: 'server' as const, change: null };
  const compared = (newKeys: number): FindingsReport => ({
    ...report,
    rules: [{ ...key, change: change(newKeys) }, { ...key, rule: 'N4', strength: 'advice', change: change(9) }, server],
  });
  const onlyNew = parseFailOn('new:mandatory');
  expect([compared(0), compared(1)].map((one) => violatesAny(one, onlyNew))).toEqual([false, true]);
  expect(violatesAny(compared(0), parseFailOn('mandatory'))).toBe(true);
  expect(formatFindingsWarnings(manifest, compared(0), onlyNew)).toContain('not compared: C1.');
  expect(() => parseFailOn('new:')).toThrow('--fail-on takes');
});
