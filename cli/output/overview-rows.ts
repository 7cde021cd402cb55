import { formatByteCount, formatDuration, formatMemory, formatNumber, formatPercent, safe } from '@/cli/units';
import { toKnownBytes } from '@/lib/model/keys/known-bytes';
import { REPORT_TABLES } from '@/lib/model/reports/report-tables';
import type { OverviewReport } from '@/lib/model/reports/reports';
import { getSnapshotAsOf, type SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { formatPartialReason, formatSkipped, listPartRows } from './partial-text';
import { formatTable } from './table-text';

const formatBigkeyMemory = ({ bigkeys, bigkeyBytes }: OverviewReport) => {
  const known = toKnownBytes({ keys: bigkeys, bytes: bigkeyBytes });
  return known === null ? 'memory unknown' : formatByteCount(known);
};

/** The overview as head and rows, shared by text and Markdown. */
export function buildOverviewRows(manifest: SnapshotManifest, report: OverviewReport) {
  const { coverage, cost } = manifest;
  const seconds = manifest.endedAt === null ? null : (manifest.endedAt - manifest.startedAt) / 1000;
  const [types, prefixes] = REPORT_TABLES.overview(report, getSnapshotAsOf(manifest));
  return {
    facts: [
      ...listPartRows(manifest),
      ['keys', formatNumber(report.keys)],
      [
        'memory used by keys',
        formatMemory(report) +
          (report.bytesUnknown > 0 ? ` (unknown for ${formatNumber(report.bytesUnknown)} keys)` : ''),
      ],
      [
        'bigkeys',
        `${formatNumber(report.bigkeys)} (${formatBigkeyMemory(report)})${
          manifest.options.facts === 'basic'
            ? ', element counts were not read'
            : report.bigkeysUnknown
              ? `, unknown for ${formatNumber(report.bigkeysUnknown)} more keys`
              : ''
        }`,
      ],
      ['without expiry', `${formatNumber(report.expiry.none)} (${formatPercent(report.expiry.none, report.keys)})`],
      ['expired, still present', formatNumber(report.expiry.expired)],
      ['duration', formatDuration(seconds)],
      ['commands sent', formatNumber(cost.commands)],
      [
        'server time used',
        cost.serverMs === null
          ? 'unknown (INFO commandstats is not allowed)'
          : `at most ${formatDuration(Math.ceil(cost.serverMs) / 1000)}`,
      ],
      ['max latency', cost.worstLatencyMs === null ? '—' : `${cost.worstLatencyMs.toFixed(1)} ms`],
      ...(coverage.partial
        ? [
            [
              'INCOMPLETE',
              [...coverage.skipped.map(formatSkipped), ...coverage.partialReasons.map(formatPartialReason)]
                .map(safe)
                .join('; ') || 'unfinished',
            ],
          ]
        : []),
      ...(coverage.commandsDenied.length > 0 ? [['denied commands', coverage.commandsDenied.join(', ')]] : []),
    ] as [string, string][],
    types: formatTable(types!),
    prefixes: formatTable(prefixes!),
  };
}
