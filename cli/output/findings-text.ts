import { alignColumns } from '@/cli/units';
import type { FindingsReport } from '@/lib/model/rules/findings';
import type { RuleInfo } from '@/lib/model/rules/rules';
import { buildFindingsRows, type ReadPart } from './findings-rows';

export function formatFindingsText(read: ReadPart, report: FindingsReport, rules: readonly RuleInfo[]): string {
  const { facts, ruleHead, rules: violated, fixHead, fixes } = buildFindingsRows(read, report, rules);
  const width = Math.max(...facts.map(([name]) => name.length));
  return [
    ...facts.map(([name, value]) => `${name.padEnd(width)}  ${value}`),
    '',
    violated.length === 0 ? 'No rule violated.' : alignColumns(ruleHead, violated, [3, 4, 5]),
    '',
    ...(fixes.length === 0 ? [] : [alignColumns(fixHead, fixes, [0]), '']),
  ].join('\n');
}
