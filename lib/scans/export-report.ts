import { isAllowedNow } from '@/lib/auth/allowed-now';
import { verb } from '@/lib/auth/verb';
import { ofSnapshot } from '@/lib/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import type { DownloadFile } from '@/lib/model/download-file';
import { AppError } from '@/lib/model/errors';
import type { ReportQuery } from '@/lib/model/reports/query';
import { REPORT_ROWS, type TableName } from '@/lib/model/reports/registry';
import type { ReportName } from '@/lib/model/reports/reports';
import type { ReportTable } from '@/lib/model/reports/table';
import { fileOfTable, TABLE_TYPES, type TableFormat } from '@/lib/reports/export/table-file';
import { parquetOfTable } from '@/lib/reports/export/table-parquet';
import { askSnapshot } from './ask-snapshot';
import { exportName } from './export-name';
import { getReport } from './get-report';
import { getSnapshot } from './get-snapshot';

/** A page is what the API allows at once; a level of a tree has as many as it takes. */
const PAGE_ROWS = 1000;
/** Beyond, a table is no table any more: the keys themselves can be exported. */
const MAX_ROWS = 100_000;

/** What shapes the file beside the filter. `table`: the first, when it is not said. */
export interface ExportShape {
  format: TableFormat;
  table?: TableName | undefined;
}

/**
 * A table of a report under a filter as a download, row after row where it comes in pages. Errors: `bad_request` where
 * the report has no such table, `too_large` above MAX_ROWS rows.
 */
export const exportReport = verb(
  { needs: 'instance.read', on: ofSnapshot },
  async (
    actor: Actor,
    id: string,
    name: ReportName,
    query: ReportQuery,
    { format, table, signal }: ExportShape & { signal?: AbortSignal },
  ): Promise<DownloadFile> => {
    const { tableNames } = REPORT_ROWS[name];
    const wanted = table ?? tableNames[0]!;
    const index = tableNames.indexOf(wanted);
    if (index < 0)
      throw new AppError('bad_request', `This report has no table "${wanted}". Tables: ${tableNames.join(', ')}.`);
    const manifest = await getSnapshot(actor, id);
    const all: ReportTable = { columns: [], rows: [] };
    let cursor: string | undefined;
    do {
      // Patterns come at once.
      const limit = name === 'patterns' ? MAX_ROWS + 1 : PAGE_ROWS;
      // Computed only where it is wanted.
      const savings = wanted === 'savings' ? { savings: true } : {};
      const asked = { ...query, ...savings, limit, ...(cursor !== undefined && { cursor }) };
      const envelope = await getReport(actor, id, name, asked, signal);
      const { rest, nextCursor = null, ...report } = envelope.report as { rest?: unknown; nextCursor?: string | null };
      // What is left for the next page is on the next page.
      const page = { ...report, ...(rest !== undefined && { rest: null }) } as typeof envelope.report;
      const one = REPORT_ROWS[name].tables(page as never, envelope.asOf)[index];
      if (one) all.columns = one.columns;
      for (const row of one?.rows ?? []) all.rows.push(row);
      cursor = nextCursor ?? undefined;
      if (all.rows.length > MAX_ROWS || (all.rows.length === MAX_ROWS && cursor !== undefined))
        throw new AppError(
          'too_large',
          `This table has more than ${MAX_ROWS.toLocaleString('en-US')} rows. Narrow the filter, or export the keys.`,
        );
    } while (cursor !== undefined);
    const stream =
      format === 'parquet'
        ? await askSnapshot(actor, id, (ref) => parquetOfTable(ref, all), signal)
        : (new Blob([fileOfTable(all, format)]).stream() as ReadableStream<Uint8Array>);
    return {
      stream,
      contentType: TABLE_TYPES[format],
      filename: exportName(manifest, tableNames.length === 1 ? name : `${name}-${wanted}`, format),
      stillAllowed: () => isAllowedNow(actor, 'instance.read', manifest.instanceId ?? ''),
    };
  },
);
