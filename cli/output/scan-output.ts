import type { OutputFormat } from '@/cli/fail-on';
import { safe } from '@/cli/units';
import type { OverviewReport } from '@/lib/model/reports/reports';
import type { FindingsReport } from '@/lib/model/rules/findings';
import type { RuleInfo } from '@/lib/model/rules/rules';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { formatFindingsMarkdown, formatFindingsText } from './findings-output';
import { escapeCell, formatCode, formatMarkdownTable } from './markdown-table';
import { buildOverviewRows } from './overview-rows';
import { formatOverviewText } from './overview-text';
import { formatFindingsSarif } from './sarif';

/** Output of a scan. `findings` is null if no profile was requested (for SARIF there always is one). */
export function formatScanOutput(
  format: OutputFormat,
  manifest: SnapshotManifest,
  overview: OverviewReport,
  findings: FindingsReport | null,
  rules: readonly RuleInfo[],
): string {
  switch (format) {
    case 'json':
      return `${JSON.stringify({ snapshot: manifest, overview, ...(findings && { findings }) })}\n`;
    case 'markdown':
      return [
        formatOverviewMarkdown(manifest, overview),
        ...(findings ? [formatFindingsMarkdown(manifest, findings, rules)] : []),
      ].join('\n');
    case 'sarif':
      return findings ? formatFindingsSarif(manifest, findings, rules) : '';
    case 'text':
      return [
        formatOverviewText(manifest, overview),
        ...(findings ? [formatFindingsText(manifest, findings, rules)] : []),
      ].join('\n');
  }
}

/**
 * The overview for a pull request or a wiki. Names are data, so all characters with a meaning in Markdown or HTML are
 * escaped.
 */
function formatOverviewMarkdown(manifest: SnapshotManifest, report: OverviewReport): string {
  const { facts, types, prefixes } = buildOverviewRows(manifest, report);
  return [
    `# ${escapeCell(safe(manifest.instanceName))}`,
    '',
    formatMarkdownTable(['', ''], facts),
    '## Types',
    '',
    formatMarkdownTable(types.head, types.rows),
    '## Prefixes',
    '',
    formatMarkdownTable(
      prefixes.head,
      prefixes.rows.map(([name, ...rest]) => [formatCode(name ?? ''), ...rest]),
      [0],
    ),
  ].join('\n');
}
