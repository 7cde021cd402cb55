import type { OverviewReport } from '@/lib/model/reports/reports';
import type { SnapshotManifest } from '@/lib/model/snapshot';
import { overviewRows } from './overview-rows';
import { safe } from './units';

/** For a pull request or a wiki. Names are data: what Markdown or HTML would obey is written out. */
export function overviewMarkdown(manifest: SnapshotManifest, report: OverviewReport): string {
  const { facts, types, typeHead, prefixes, prefixHead } = overviewRows(manifest, report);
  return [
    `# ${cell(safe(manifest.instanceName))}`,
    '',
    table(['', ''], facts),
    '## Types',
    '',
    table(typeHead, types),
    '## Prefixes',
    '',
    table(
      prefixHead,
      prefixes.map(([name, ...rest]) => [code(name ?? ''), ...rest]),
      true,
    ),
  ].join('\n');
}

const cell = (text: string) => text.replace(/[\\`*_{}[\]()#+!<>|~]/g, (c) => `&#${c.charCodeAt(0)};`);
const code = (text: string) => `<code>${cell(text)}</code>`;

function table(head: string[], rows: string[][], raw = false): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  const body = rows.map((row) => line(row.map((text, i) => (raw && i === 0 ? text : cell(text)))));
  return [line(head), line(head.map((_, i) => (i === 0 ? '---' : '---:'))), ...body, ''].join('\n');
}
