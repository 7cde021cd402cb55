import type { DownloadFile } from '@/lib/model/download-file';
import type { FileFormat } from '@/lib/model/reports/file-formats';
import { parquetRows } from '@/test/snapshots/read-parquet';

/** Returns the rows of a download in JSON Lines or Parquet. */
export async function readRows({ stream }: DownloadFile, format: FileFormat): Promise<Record<string, unknown>[]> {
  if (format === 'parquet') return parquetRows(stream);
  const text = await new Response(stream).text();
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}
