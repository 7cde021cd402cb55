import { bytes, duration, memory, number, percent, safe } from '@/cli/units';
import { knownBytes } from '@/lib/model/keys/known-bytes';
import { REPORT_TABLES } from '@/lib/model/reports/report-tables';
import type { OverviewReport } from '@/lib/model/reports/reports';
import { asOfSnapshot, type SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { partialText } from './partial-text';
import { tableText } from './table-text';

const bigkeyMemory = ({ bigkeys, bigkeyBytes }: OverviewReport) => {
  const known = knownBytes({ keys: bigkeys, bytes: bigkeyBytes });
  return known === null ? 'memory unknown' : bytes(known);
};

/** The overview as head and rows, shared by text and Markdown. */
export function overviewRows(manifest: SnapshotManifest, report: OverviewReport) {
  const { coverage, cost } = manifest;
  const seconds = manifest.endedAt === null ? null : (manifest.endedAt - manifest.startedAt) / 1000;
  const [types, prefixes] = REPORT_TABLES.overview(report, asOfSnapshot(manifest));
  return {
    facts: [
      ['keys', number(report.keys)],
      [
        'memory used by keys',
        memory(report) + (report.bytesUnknown > 0 ? ` (unknown for ${number(report.bytesUnknown)} keys)` : ''),
      ],
      [
        'bigkeys',
        `${number(report.bigkeys)} (${bigkeyMemory(report)})${
          manifest.options.facts === 'basic'
            ? ', element counts were not read'
            : report.bigkeysUnknown
              ? `, unknown for ${number(report.bigkeysUnknown)} more keys`
              : ''
        }`,
      ],
      ['without expiry', `${number(report.expiry.none)} (${percent(report.expiry.none, report.keys)})`],
      ['expired, still present', number(report.expiry.expired)],
      ['duration', duration(seconds)],
      ['commands sent', number(cost.commands)],
      [
        'server time used',
        cost.serverMs === null
          ? 'unknown (INFO commandstats is not allowed)'
          : `at most ${duration(Math.ceil(cost.serverMs) / 1000)}`,
      ],
      ['max latency', cost.worstLatencyMs === null ? '—' : `${cost.worstLatencyMs.toFixed(1)} ms`],
      ...(coverage.partial
        ? [
            [
              'INCOMPLETE',
              [
                ...coverage.skipped.map((s) => `${s.address}${s.db === null ? '' : ` db${s.db}`}: ${s.reason}`),
                ...coverage.partialReasons.map(partialText),
              ]
                .map(safe)
                .join('; ') || 'unfinished',
            ],
          ]
        : []),
      ...(coverage.commandsDenied.length > 0 ? [['denied commands', coverage.commandsDenied.join(', ')]] : []),
    ] as [string, string][],
    types: tableText(types!),
    prefixes: tableText(prefixes!),
  };
}
