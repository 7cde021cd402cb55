import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { config } from '@/lib/runtime/config';
import { queryRows, type Row, withConnection } from '@/lib/snapshots/query/duckdb';
import { makeExportFolder } from '@/lib/snapshots/query/export-file';

let read = 0;

/** Returns the rows of a Parquet download. */
export async function parquetRows(stream: ReadableStream<Uint8Array>): Promise<Row[]> {
  const dir = path.join(config.snapshotsDir, 'none');
  const file = path.join(await makeExportFolder(dir), `read-${++read}.parquet`);
  await writeFile(file, Buffer.from(await new Response(stream).arrayBuffer()));
  return withConnection(dir, {}, (connection) => queryRows(connection, `SELECT * FROM read_parquet('${file}')`));
}
