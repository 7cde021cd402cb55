import type { FindingsReport } from '@/lib/model/rules/findings';
import type { RuleInfo } from '@/lib/model/rules/rules';
import { buildFindingsRows, type ReadPart } from './findings-rows';
import { formatCode, formatMarkdownTable } from './markdown-table';

/** Findings for a pull request or a wiki, after the overview. */
export function formatFindingsMarkdown(read: ReadPart, report: FindingsReport, rules: readonly RuleInfo[]): string {
  const { facts, ruleHead, rules: violated, fixHead, fixes } = buildFindingsRows(read, report, rules);
  const last = ruleHead.length - 1;
  const named = violated.map((row) => row.map((text, i) => (i === last && text !== '' ? formatCode(text) : text)));
  return [
    '## Standards',
    '',
    formatMarkdownTable(['', ''], facts),
    violated.length === 0 ? 'No rule violated.\n' : formatMarkdownTable(ruleHead, named, [last]),
    ...(fixes.length === 0 ? [] : [formatMarkdownTable(fixHead, fixes)]),
  ].join('\n');
}
