import { alignColumns, safe } from '@/cli/units';
import type { OverviewReport } from '@/lib/model/reports/reports';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { buildOverviewRows } from './overview-rows';

export function formatOverviewText(manifest: SnapshotManifest, report: OverviewReport): string {
  const { facts, types, prefixes } = buildOverviewRows(manifest, report);
  const width = Math.max(...facts.map(([name]) => name.length));
  return [
    `${safe(manifest.instanceName)}  ${manifest.flavor ?? ''} ${manifest.version ?? ''}`.trimEnd(),
    '',
    ...facts.map(([name, value]) => `${name.padEnd(width)}  ${value}`),
    '',
    alignColumns(types.head, types.rows, types.right),
    '',
    alignColumns(prefixes.head, prefixes.rows, prefixes.right),
    '',
  ].join('\n');
}
