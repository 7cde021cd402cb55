import type { DownloadFile } from '@/lib/model/download-file';
import type { FileFormat } from '@/lib/model/reports/file-formats';
import { parquetRows } from '@/test/snapshots/read-parquet';

/** What a download of JSON Lines or Parquet holds, row after row. */
export async function rowsOf({ stream }: DownloadFile, format: FileFormat): Promise<Record<string, unknown>[]> {
  if (format === 'parquet') return parquetRows(stream);
  const text = await new Response(stream).text();
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}
