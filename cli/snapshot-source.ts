import { UsageError } from '@/cli/exit';
import type { Gate } from '@/cli/fail-on';
import { AppError } from '@/lib/model/errors';
import type { HtmlReportQuery } from '@/lib/model/reports/file-query';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { ReportEnvelope, ReportName, ReportResults } from '@/lib/model/reports/reports';
import type { FindingsReport } from '@/lib/model/rules/findings';
import type { ProfileBody } from '@/lib/model/rules/policy';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { addFolderChanges, openOtherFolder } from '@/lib/scans/compare/compare-folders';
import { evaluateFolder, readManifest, runFolderReport, writeFolderReport } from '@/lib/scans/folder-reports';

/** A snapshot that commands report on: a folder here, or a snapshot of a server (server-client/server-snapshot.ts). */
export interface SnapshotSource {
  readManifest(): Promise<SnapshotManifest>;
  readReport<N extends ReportName>(name: N, query: ReportQuery): Promise<ReportEnvelope<ReportResults[N]>>;
  /** `since`: the snapshot since which keys count as new (a folder; on a server also previous or baseline). */
  readFindings(query: ReportQuery, since?: string): Promise<FindingsReport>;
  /** Returns the report for people, as one HTML file. */
  writeHtml(query: HtmlReportQuery): Promise<string>;
  /** Runs a function that formats answers. Errors of an unexpected shape become a sentence. */
  draw(format: () => string): string;
}

/** The snapshot of a folder. `profile`: what its keys are checked against; null: findings cannot be read. */
export function openFolder(dir: string, profile: ProfileBody | null): SnapshotSource {
  // The error names the id of a snapshot, but the user typed a path.
  const rethrow = (error: unknown) => {
    if (error instanceof AppError && error.code === 'not_found')
      throw new Error(`${dir} holds no snapshot. Name the folder that colonnade scan --out wrote.`);
    throw error;
  };
  return {
    readManifest: () => readManifest(dir).catch(rethrow),
    readReport: (name, query) => runFolderReport(dir, name, query, profile).catch(rethrow),
    readFindings: async (query, since) => {
      const report = await evaluateFolder(dir, profile!, query).catch(rethrow);
      return since === undefined ? report : addFolderChanges(report, { now: dir, before: since }, profile!, query);
    },
    writeHtml: (query) => writeFolderReport(dir, profile!, query).catch(rethrow),
    draw: (format) => format(),
  };
}

/** The folder of --since, which a gate for new keys needs. Throws UsageError. */
export async function requireFolder(since: string | undefined, gate: Gate): Promise<string | undefined> {
  if (since === undefined && gate.onlyNew)
    throw new UsageError('--fail-on new:… needs --since DIR: the snapshot since which keys count as new.');
  // Read before the work begins, because a wrong folder must not waste an hour of it.
  if (since !== undefined)
    await openOtherFolder(since).catch(() => {
      throw new UsageError(`--since: ${since} holds no snapshot. Name a folder that colonnade scan --out wrote.`);
    });
  return since;
}
