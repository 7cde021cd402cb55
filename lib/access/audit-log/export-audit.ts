import { stringify } from 'csv-stringify/sync';
import { verb } from '@/lib/access/auth/verb';
import { scopeToAll } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import type { AuditFilter } from '@/lib/model/audit';
import type { DownloadFile } from '@/lib/model/download-file';
import { FILE_TYPES, type FileFormat } from '@/lib/model/reports/file-formats';
import { CSV_OPTIONS } from '@/lib/model/text/csv-options';
import { encodeLinesParquet, type ParquetColumn } from '@/lib/snapshots/table-files/table-parquet';
import { createTextStream } from '@/lib/snapshots/table-files/text-stream';
import { exportAuditRows } from '@/lib/store/audit';
import { toAuditLine, toEscapedLine, toRowFilter } from './audit-row';

const PAGE = 1000;

const COLUMNS = [
  'seq',
  'time',
  'actor',
  'actorId',
  'role',
  'via',
  'address',
  'session',
  'action',
  'subject',
  'instanceId',
  'outcome',
  'intent',
  'details',
  'hash',
] as const;
const NUMBERS: ReadonlySet<string> = new Set(['seq', 'intent']);
const PARQUET_COLUMNS = COLUMNS.map(
  (name): ParquetColumn => ({ name, kind: NUMBERS.has(name) ? 'BIGINT' : 'VARCHAR' }),
);

/**
 * Every row under the filter as a download, oldest first. Text formats are generated page by page, as the client reads
 * them. Intents and outcomes are separate rows here, as they are signed. In CSV, texts that a spreadsheet would run as
 * a formula begin with an apostrophe.
 */
export const exportAudit = verb(
  { needs: 'audit.read', on: scopeToAll },
  async (_actor: Actor, filter: AuditFilter, format: FileFormat, signal?: AbortSignal): Promise<DownloadFile> => {
    const stream =
      format === 'parquet'
        ? await encodeLinesParquet(PARQUET_COLUMNS, streamFlatLines(filter), signal)
        : createTextStream(format === 'csv' ? streamCsv(filter) : streamJson(filter));
    return {
      stream,
      filename: `colonnade-audit.${format}`,
      contentType: FILE_TYPES[format],
      // The permission depends on the role only, and a changed role ends the session.
      stillAllowed: async () => true,
    };
  },
);

type Line = ReturnType<typeof toAuditLine>;

async function* readLinePages(filter: AuditFilter): AsyncGenerator<Line[], undefined> {
  for (let after = 0; ; ) {
    const rows = (await exportAuditRows(toRowFilter(filter), after, PAGE)).map(toAuditLine);
    yield rows;
    if (rows.length < PAGE) return undefined;
    after = rows.at(-1)?.seq ?? after;
  }
}

async function* streamJson(filter: AuditFilter): AsyncGenerator<string, undefined> {
  for await (const rows of readLinePages(filter)) yield rows.map(toEscapedLine).join('');
}

async function* streamCsv(filter: AuditFilter): AsyncGenerator<string, undefined> {
  let head = `\ufeff${stringify([[...COLUMNS]])}`;
  for await (const rows of readLinePages(filter)) {
    yield head +
      stringify(
        rows.map((row) => COLUMNS.map((name) => toCellText(row, name))),
        CSV_OPTIONS,
      );
    head = '';
  }
}

/** One JSON object per line whose values are cells, without nesting. */
async function* streamFlatLines(filter: AuditFilter): AsyncGenerator<string, undefined> {
  for await (const rows of readLinePages(filter))
    for (const row of rows)
      yield toEscapedLine(Object.fromEntries(COLUMNS.map((name) => [name, toCellText(row, name)])));
}

const toCellText = (row: Line, name: (typeof COLUMNS)[number]) =>
  name === 'details' ? JSON.stringify(row.details) : row[name];
