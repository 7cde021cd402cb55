import type { OutputFormat } from '@/cli/fail-on';
import { alignColumns } from '@/cli/units';
import type { FindingsReport } from '@/lib/model/rules/findings';
import type { RuleInfo } from '@/lib/model/rules/rules';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { buildFindingsRows, type ReadPart } from './findings-rows';
import { formatCode, formatMarkdownTable } from './markdown-table';
import { formatFindingsSarif } from './sarif';

/** The findings of a snapshot alone, without its overview. */
export const formatFindings = (
  format: OutputFormat,
  manifest: SnapshotManifest,
  report: FindingsReport,
  rules: readonly RuleInfo[],
): string =>
  ({
    json: () => `${JSON.stringify(report)}\n`,
    text: () => formatFindingsText(manifest, report, rules),
    markdown: () => formatFindingsMarkdown(manifest, report, rules),
    sarif: () => formatFindingsSarif(manifest, report, rules),
  })[format]();

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
