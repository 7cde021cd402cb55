import type { DownloadFile } from '@/lib/model/download-file';
import { FILE_TYPES, type FileFormat, type FileShape } from '@/lib/model/reports/file-formats';
import type { ReportTable } from '@/lib/model/reports/table';
import { fileOfTable, headOfFile, rowsOfFile } from './table-file';
import { declaredColumns, parquetOfLines, parquetOfTable } from './table-parquet';
import { textStream } from './text-stream';

interface NamedShape extends FileShape, Pick<DownloadFile, 'stillAllowed'> {
  name: string;
}

/** A table as a file for download. `name`: without its extension. */
export async function tableDownload(
  table: ReportTable,
  { name, format, signal, stillAllowed }: NamedShape,
): Promise<DownloadFile> {
  const stream =
    format === 'parquet'
      ? await parquetOfTable(table, signal)
      : (new Blob([fileOfTable(table, format)]).stream() as ReadableStream<Uint8Array>);
  return { stream, contentType: FILE_TYPES[format], filename: `${name}.${format}`, stillAllowed };
}

/**
 * The same for a list that may be long, page by page: text formats are made only as the reader asks for them. `empty`:
 * the table without rows.
 */
export async function pagesDownload(
  empty: ReportTable,
  pages: AsyncIterable<ReportTable>,
  { name, format, signal, stillAllowed }: NamedShape,
): Promise<DownloadFile> {
  const stream =
    format === 'parquet'
      ? await parquetOfLines(declaredColumns(empty), piecesOf(empty, pages, 'jsonl'), signal)
      : textStream(piecesOf(empty, pages, format));
  return { stream, contentType: FILE_TYPES[format], filename: `${name}.${format}`, stillAllowed };
}

async function* piecesOf(
  empty: ReportTable,
  pages: AsyncIterable<ReportTable>,
  format: Exclude<FileFormat, 'parquet'>,
): AsyncGenerator<string, void> {
  yield headOfFile(empty, format);
  for await (const page of pages) yield rowsOfFile(page, format);
}
