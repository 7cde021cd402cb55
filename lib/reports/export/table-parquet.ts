import { createReadStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { ReportTable } from '@/lib/model/reports/table';
import { quote } from '@/lib/snapshots/query/duckdb';
import { exportFolder, writeParquet } from '@/lib/snapshots/query/export-file';
import { type SnapshotRef, withSource } from '@/lib/snapshots/query/with-source';
import { fileOfTable, headsOf } from './table-file';

/**
 * A table of a report as Parquet: the same columns as its other files. A column of whole numbers is BIGINT, of others
 * DOUBLE, and VARCHAR where it holds words (`never`) beside them. It is made in a folder that goes when it was read.
 */
export async function parquetOfTable(ref: SnapshotRef, table: ReportTable): Promise<ReadableStream<Uint8Array>> {
  const folder = await mkdtemp(path.join(await exportFolder(ref.dir), 'export-'));
  const file = path.join(folder, 'table.parquet');
  try {
    const lines = fileOfTable(table, 'jsonl');
    const rows = path.join(folder, 'rows.jsonl');
    await writeFile(rows, lines, { mode: 0o600 });
    const kinds = kindsOf(headsOf(table), lines);
    const columns = kinds.map(([head, kind]) => `${quote(head)}: ${quote(kind)}`).join(', ');
    const select = `SELECT * FROM read_json(${quote(rows)}, format = 'newline_delimited', columns = {${columns}})`;
    await withSource(ref, (source) => writeParquet(source, select, [], file), { lane: 'export' });
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  const reading = createReadStream(file);
  reading.once('close', () => void rm(folder, { recursive: true, force: true }));
  return Readable.toWeb(reading) as ReadableStream<Uint8Array>;
}

function kindsOf(heads: readonly string[], lines: string): [head: string, kind: string][] {
  const rows = lines.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Record<string, unknown>]));
  return heads.map((head) => {
    const values = rows.map((row) => row[head]).filter((value) => value !== null && value !== undefined);
    if (values.length === 0 || values.some((value) => typeof value !== 'number')) return [head, 'VARCHAR'];
    return [head, values.every((value) => Number.isSafeInteger(value)) ? 'BIGINT' : 'DOUBLE'];
  });
}
