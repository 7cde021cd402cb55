import type { DownloadFile } from '@/lib/model/download-file';
import { FILE_TYPES, type FileFormat, type FileShape } from '@/lib/model/reports/file-formats';
import type { ReportTable } from '@/lib/model/reports/table';
import { fileOfTable, headOfFile, rowsOfFile } from './table-file';
import { declaredColumns, parquetOfLines, parquetOfTable } from './table-parquet';
import { textStream } from './text-stream';

interface NamedShape extends FileShape, Partial<Pick<DownloadFile, 'stillAllowed'>> {
  name: string;
}

/**
 * A table as a file to be sent. `name`: without its ending. `stillAllowed`: of one instance; a list of several is what
 * somebody might see when it was asked for.
 */
export async function tableDownload(
  table: ReportTable,
  { name, format, signal, stillAllowed = async () => true }: NamedShape,
): Promise<DownloadFile> {
  const stream =
    format === 'parquet'
      ? await parquetOfTable(table, signal)
      : (new Blob([fileOfTable(table, format)]).stream() as ReadableStream<Uint8Array>);
  return { stream, contentType: FILE_TYPES[format], filename: `${name}.${format}`, stillAllowed };
}

/**
 * The same of a list that may be long, page by page: of texts nothing is made before the reader asks for it. `empty`:
 * the table without rows.
 */
export async function pagesDownload(
  empty: ReportTable,
  pages: AsyncIterable<ReportTable>,
  { name, format, signal, stillAllowed = async () => true }: NamedShape,
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

/** `colonnade-fleet-2026-11-24`: a list as it is today. */
export const listFileName = (what: string): string => `colonnade-${what}-${new Date().toISOString().slice(0, 10)}`;
