import type { OutputFormat } from '@/cli/fail-on';
import { safe } from '@/cli/units';
import type { OverviewReport } from '@/lib/model/reports/reports';
import type { FindingsReport } from '@/lib/model/rules/findings';
import type { RuleInfo } from '@/lib/model/rules/rules';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { findingsMarkdown } from './findings-markdown';
import { findingsText } from './findings-text';
import { cell, code, table } from './markdown-table';
import { overviewRows } from './overview-rows';
import { overviewText } from './overview-text';
import { findingsSarif } from './sarif';

/** Output of a scan. `findings` is null if no profile was requested (for SARIF there always is one). */
export function scanOutput(
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
      return [overviewMarkdown(manifest, overview), ...(findings ? [findingsMarkdown(findings, rules)] : [])].join(
        '\n',
      );
    case 'sarif':
      return findings ? findingsSarif(manifest, findings, rules) : '';
    case 'text':
      return [overviewText(manifest, overview), ...(findings ? [findingsText(findings, rules)] : [])].join('\n');
  }
}

/**
 * The overview for a pull request or a wiki. Names are data, so all characters with a meaning in Markdown or HTML are
 * escaped.
 */
function overviewMarkdown(manifest: SnapshotManifest, report: OverviewReport): string {
  const { facts, types, prefixes } = overviewRows(manifest, report);
  return [
    `# ${cell(safe(manifest.instanceName))}`,
    '',
    table(['', ''], facts),
    '## Types',
    '',
    table(types.head, types.rows),
    '## Prefixes',
    '',
    table(
      prefixes.head,
      prefixes.rows.map(([name, ...rest]) => [code(name ?? ''), ...rest]),
      [0],
    ),
  ].join('\n');
}
