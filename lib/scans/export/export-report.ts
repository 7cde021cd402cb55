import { isAllowedNow } from '@/lib/access/auth/is-allowed-now';
import { verb } from '@/lib/access/auth/verb';
import { scopeToSnapshot } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import type { DownloadFile } from '@/lib/model/download-file';
import { AppError } from '@/lib/model/errors';
import type { FileShape } from '@/lib/model/reports/file-formats';
import type { ReportQuery } from '@/lib/model/reports/query';
import { REPORT_ROWS, type TableName } from '@/lib/model/reports/registry';
import { REPORT_TABLES } from '@/lib/model/reports/report-tables';
import type { ReportName } from '@/lib/model/reports/reports';
import type { ReportTable } from '@/lib/model/reports/table';
import { getReport } from '@/lib/scans/get-report';
import { getSnapshot } from '@/lib/scans/get-snapshot';
import { createTableDownload } from '@/lib/snapshots/table-files/table-download';
import { buildExportName } from './build-export-name';
import { collectRows, MAX_TABLE_ROWS, PAGE_ROWS } from './collect-rows';

/** The format of the file and the table in it; without `table`, the first table of the report. */
interface ReportFile extends FileShape {
  table?: TableName | undefined;
}

/** Tables that are fetched in one page, because each page is computed from the complete table. */
const UNPAGED_TABLES: ReadonlySet<TableName> = new Set<TableName>(['patterns', 'noExpiry', 'idlePrefixes']);

/**
 * Exports a table of a report under a filter, page after page. Errors: `bad_request` when the report
 * has no such table, `too_large` above MAX_TABLE_ROWS rows.
 */
export const exportReport = verb(
  { needs: 'instance.read', on: scopeToSnapshot },
  async (
    actor: Actor,
    id: string,
    name: ReportName,
    query: ReportQuery,
    { format, table, signal }: ReportFile,
  ): Promise<DownloadFile> => {
    const { tableNames } = REPORT_ROWS[name];
    const tableName = table ?? tableNames[0]!;
    const index = tableNames.indexOf(tableName);
    if (index < 0)
      throw new AppError('bad_request', `This report has no table "${tableName}". Tables: ${tableNames.join(', ')}.`);
    const manifest = await getSnapshot(actor, id);
    const limit = UNPAGED_TABLES.has(tableName) ? MAX_TABLE_ROWS + 1 : PAGE_ROWS;
    // The savings are computed only for their own table.
    const savings = tableName === 'savings' ? { savings: true } : {};
    const reportTable: ReportTable = { columns: [], rows: [] };
    reportTable.rows = await collectRows(async (cursor) => {
      const pageQuery = { ...query, ...savings, limit, ...(cursor !== undefined && { cursor }) };
      const envelope = await getReport(actor, id, name, pageQuery, signal);
      const { rest, nextCursor = null, ...report } = envelope.report as { rest?: unknown; nextCursor?: string | null };
      // `rest` sums up the rows of later pages, which are exported too, so it is dropped.
      const reportPage = { ...report, ...(rest !== undefined && { rest: null }) } as typeof envelope.report;
      const pageTable = REPORT_TABLES[name](reportPage as never, envelope.asOf)[index];
      if (pageTable) reportTable.columns = pageTable.columns;
      return { rows: pageTable?.rows ?? [], nextCursor };
    });
    const part = tableNames.length === 1 ? name : `${name}-${tableName}`;
    const stillAllowed = () => isAllowedNow(actor, 'instance.read', manifest.instanceId ?? '');
    return createTableDownload(reportTable, { name: buildExportName(manifest, part), format, signal, stillAllowed });
  },
);
