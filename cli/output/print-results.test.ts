import { expect, it } from 'vitest';
import type { FindingsReport, RuleFinding } from '@/lib/model/rules/findings';
import { makeManifest } from '@/test/snapshots/make-snapshot';
import { formatFindingsWarnings } from './print-results';

const rule = (id: string, strength: RuleFinding['strength'], status: RuleFinding['status']) =>
  ({ rule: id, strength, status }) as RuleFinding;
const report = {
  rules: [rule('V10', 'mandatory', 'unknown'), rule('C16', 'advice', 'unknown'), rule('T1', 'mandatory', 'violated')],
} as FindingsReport;
const manifest = makeManifest({ id: 's' });

it('tells what a passing pipeline has not seen, and nothing else', () => {
  expect(formatFindingsWarnings(manifest, report, ['mandatory'])).toBe(
    'colonnade: Not evaluated, because facts are missing: V10.\n',
  );
  const without: FindingsReport = {
    ...report,
    rules: [{ ...rule('N6', 'recommended', 'unknown'), because: 'noOwners' }],
  };
  expect(formatFindingsWarnings(manifest, without, ['recommended'])).toBe(
    'colonnade: Not evaluated, because facts are missing: N6 (no prefix has an owner).\n',
  );
  expect(formatFindingsWarnings(manifest, report, [])).toBe('');
  const skipped = [{ address: '10.0.0.2:6379', db: null, reason: 'redis_unreachable' }];
  const partial = { ...manifest, coverage: { ...manifest.coverage, partial: true, skipped } };
  expect(formatFindingsWarnings(partial, { ...report, rules: [] }, ['mandatory'])).toMatch(
    /^colonnade: The scan is incomplete: nodes skipped: 1/,
  );
});
