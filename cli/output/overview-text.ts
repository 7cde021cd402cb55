import { columns, safe } from '@/cli/units';
import type { OverviewReport } from '@/lib/model/reports/reports';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { overviewRows } from './overview-rows';

export function overviewText(manifest: SnapshotManifest, report: OverviewReport): string {
  const { facts, types, prefixes } = overviewRows(manifest, report);
  const width = Math.max(...facts.map(([name]) => name.length));
  return [
    `${safe(manifest.instanceName)}  ${manifest.flavor ?? ''} ${manifest.version ?? ''}`.trimEnd(),
    '',
    ...facts.map(([name, value]) => `${name.padEnd(width)}  ${value}`),
    '',
    columns(types.head, types.rows, types.right),
    '',
    columns(prefixes.head, prefixes.rows, prefixes.right),
    '',
  ].join('\n');
}
