import { expect, it } from 'vitest';
import type { OverviewReport, ReportResults } from '@/lib/model/reports/reports';
import type { FindingsReport } from '@/lib/model/rules/findings';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { formatReportText } from './report-text';
import { formatScanOutput } from './scan-output';

const makeSnapshot = (options: object) =>
  ({
    instanceName: 'shop',
    options: { facts: 'full', databases: null, match: null, ...options },
    coverage: { partial: false, skipped: [], partialReasons: [], commandsDenied: [] },
    cost: { commands: 1, serverMs: null, worstLatencyMs: null },
    startedAt: 0,
    endedAt: 1,
  }) as unknown as SnapshotManifest;
const none = { keys: 0, bytes: null };
const overview = {
  ...{ keys: 2, bytes: 1, bytesUnknown: 0, bigkeys: 0, bigkeyBytes: 0, bigkeysUnknown: 0 },
  ...{ expiry: { none: 0, expired: 0 }, types: [], topPrefixes: [], nodes: [], databases: [] },
} as unknown as OverviewReport;
const strength = { ...none, listed: 0, atLeast: false };
const findings = {
  ...{ total: { keys: 2, bytes: 1 }, mandatory: strength, recommended: strength, advice: strength, exempt: none },
  ...{ score: { score: null, fixes: [] }, profiles: [{ name: 'p', prefix: null }], rules: [] },
} as unknown as FindingsReport;

const part = makeSnapshot({ match: 'user:\u001b', databases: [0, 3] });

it.each(['text', 'markdown', 'sarif'] as const)('%s says which part of the keyspace was read', (format) => {
  expect(formatScanOutput(format, makeSnapshot({}), overview, findings, [])).not.toMatch(/part ?of ?the ?keyspace/i);
  const said = formatScanOutput(format, part, overview, findings, []);
  expect(said).toMatch(/part ?of ?the ?keyspace/i);
  expect(said).toMatch(/prefix user:(?!\u001b).*databases 0, 3/);
  // Overview and findings are read apart: each says it.
  if (format !== 'sarif') expect(said.match(/part of the keyspace/g)).toHaveLength(2);
  if (format === 'sarif') expect(JSON.parse(said).runs[0].properties).toHaveProperty('partOfTheKeyspace');
});

it('the text of every other report says it', () => {
  const sizes = { bytesUnknown: 0, buckets: [], types: [], prefixes: [] } as unknown as ReportResults['idle'];
  const idle = { ...sizes, kind: 'none' } as ReportResults['idle'];
  expect(formatReportText('idle', makeSnapshot({}), idle)).not.toContain('Part of the keyspace');
  expect(formatReportText('idle', part, idle)).toContain('Part of the keyspace: prefix user:');
});
