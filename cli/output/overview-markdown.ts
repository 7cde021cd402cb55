import { safe } from '@/cli/units';
import type { OverviewReport } from '@/lib/model/reports/reports';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { cell, code, table } from './markdown-table';
import { overviewRows } from './overview-rows';

/** For a pull request or a wiki. Names are data: what Markdown or HTML would obey is written out. */
export function overviewMarkdown(manifest: SnapshotManifest, report: OverviewReport): string {
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
