import type { FindingsReport } from '@/lib/model/rules/findings';
import type { RuleInfo } from '@/lib/model/rules/rules';
import { findingsRows } from './findings-rows';
import { code, table } from './markdown-table';

/** Findings for a pull request or a wiki, after the overview. */
export function findingsMarkdown(report: FindingsReport, rules: readonly RuleInfo[]): string {
  const { facts, ruleHead, rules: violated, fixHead, fixes } = findingsRows(report, rules);
  const last = ruleHead.length - 1;
  const named = violated.map((row) => row.map((text, i) => (i === last && text !== '' ? code(text) : text)));
  return [
    '## Standards',
    '',
    table(['', ''], facts),
    violated.length === 0 ? 'No rule violated.\n' : table(ruleHead, named, [last]),
    ...(fixes.length === 0 ? [] : [table(fixHead, fixes)]),
  ].join('\n');
}
