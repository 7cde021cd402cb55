import { AppError } from '@/lib/model/errors';
import type { HtmlReportQuery } from '@/lib/model/reports/file-query';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { ReportEnvelope, ReportName, ReportResults } from '@/lib/model/reports/reports';
import type { FindingsReport } from '@/lib/model/rules/findings';
import type { ProfileBody } from '@/lib/model/rules/policy';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { evaluateFolder, readManifest, runFolderReport, writeFolderReport } from '@/lib/scans/folder-reports';

/** A snapshot that commands report on: a folder here, or a snapshot of a server (server-client/server-snapshot.ts). */
export interface SnapshotSource {
  readManifest(): Promise<SnapshotManifest>;
  readReport<N extends ReportName>(name: N, query: ReportQuery): Promise<ReportEnvelope<ReportResults[N]>>;
  readFindings(query: ReportQuery): Promise<FindingsReport>;
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
    readFindings: (query) => evaluateFolder(dir, profile!, query).catch(rethrow),
    writeHtml: (query) => writeFolderReport(dir, profile!, query).catch(rethrow),
    draw: (format) => format(),
  };
}
