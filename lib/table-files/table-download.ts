import type { DownloadFile } from '@/lib/model/download-file';
import { FILE_TYPES, type FileShape } from '@/lib/model/reports/file-formats';
import type { ReportTable } from '@/lib/model/reports/table';
import { fileOfTable } from './table-file';
import { parquetOfTable } from './table-parquet';

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

/** `colonnade-fleet-2026-11-24`: a list as it is today. */
export const listFileName = (what: string): string => `colonnade-${what}-${new Date().toISOString().slice(0, 10)}`;
