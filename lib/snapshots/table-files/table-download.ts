import type { DownloadFile } from '@/lib/model/download-file';
import { FILE_TYPES, type FileFormat, type FileShape } from '@/lib/model/reports/file-formats';
import type { ReportTable } from '@/lib/model/reports/table';
import { encodeHead, encodeRows, encodeTable } from './table-file';
import { encodeLinesParquet, encodeTableParquet, listDeclaredColumns } from './table-parquet';
import { createTextStream } from './text-stream';

interface NamedShape extends FileShape, Pick<DownloadFile, 'stillAllowed'> {
  name: string;
}

/** Makes a table a file for download. `name`: without its extension. */
export async function createTableDownload(
  table: ReportTable,
  { name, format, signal, stillAllowed }: NamedShape,
): Promise<DownloadFile> {
  const stream =
    format === 'parquet'
      ? await encodeTableParquet(table, signal)
      : (new Blob([encodeTable(table, format)]).stream() as ReadableStream<Uint8Array>);
  return { stream, contentType: FILE_TYPES[format], filename: `${name}.${format}`, stillAllowed };
}

/**
 * Makes a long list a file for download, page by page: text formats are made only as the reader asks for them. `empty`:
 * the table without rows.
 */
export async function createPagesDownload(
  empty: ReportTable,
  pages: AsyncIterable<ReportTable>,
  { name, format, signal, stillAllowed }: NamedShape,
): Promise<DownloadFile> {
  const stream =
    format === 'parquet'
      ? await encodeLinesParquet(listDeclaredColumns(empty), streamPieces(empty, pages, 'jsonl'), signal)
      : createTextStream(streamPieces(empty, pages, format));
  return { stream, contentType: FILE_TYPES[format], filename: `${name}.${format}`, stillAllowed };
}

async function* streamPieces(
  empty: ReportTable,
  pages: AsyncIterable<ReportTable>,
  format: Exclude<FileFormat, 'parquet'>,
): AsyncGenerator<string, void> {
  yield encodeHead(empty, format);
  for await (const page of pages) yield encodeRows(page, format);
}
