import { alignColumns, formatNumber } from '@/cli/units';
import { REPORT_TABLES } from '@/lib/model/reports/report-tables';
import type { ReportName, ReportResults } from '@/lib/model/reports/reports';
import { getSnapshotAsOf, type SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { formatOverviewText } from './overview-text';
import { formatKeyspacePart } from './partial-text';
import { formatTable } from './table-text';

/** Sentences after the tables, for counts that need an explanation. */
const NOTES: { [N in ReportName]?: (report: ReportResults[N]) => string[] } = {
  bigkeys: ({ unknown }) =>
    unknown > 0 ? [`${formatNumber(unknown)} more keys not evaluated: their element count was not read.`] : [],
  sizes: ({ bytesUnknown }) =>
    bytesUnknown > 0 ? [`Of ${formatNumber(bytesUnknown)} keys the memory is unknown.`] : [],
  idle: ({ kind, unknown, sharedIntegers = 0 }) => {
    if (kind === 'none') return ['Idle times are unknown in this snapshot.'];
    const others = unknown.keys - sharedIntegers;
    return [
      ...(sharedIntegers > 0
        ? [
            `${formatNumber(sharedIntegers)} keys hold an integer from 0 to 9999, a shared object of the server: their idle time is not of the key.`,
          ]
        : []),
      ...(others > 0 ? [`Of ${formatNumber(others)} keys the idle time is unknown.`] : []),
    ];
  },
};

/** One report as tables. The JSON form has everything, the tables have what fits a terminal. */
export function formatReportText<N extends ReportName>(
  name: N,
  manifest: SnapshotManifest,
  report: ReportResults[N],
): string {
  if (name === 'overview') return `${formatOverviewText(manifest, report as ReportResults['overview']).trimEnd()}\n`;
  const isEmpty = name === 'idle' && (report as ReportResults['idle']).kind === 'none';
  const allTables = isEmpty ? [] : REPORT_TABLES[name](report, getSnapshotAsOf(manifest));
  const tables = allTables.filter(({ rows }, i) => i === 0 || rows.length > 0);
  const texts = tables.map(formatTable).map(({ head, rows, right }) => alignColumns(head, rows, right));
  const part = formatKeyspacePart(manifest);
  const parts = part === null ? [] : [`Part of the keyspace: ${part}.`];
  return `${[...texts, ...parts, ...(NOTES[name]?.(report) ?? [])].join('\n\n')}\n`;
}
