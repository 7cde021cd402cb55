import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type ColumnSpec, type EncodedColumn, gzippedColumn } from './parquet-pages';

const zip = promisify(gzip);
/** Small pages (dictionaries, columns of one value) gain nothing. */
const MIN_BYTES = 4096;

/**
 * The columns of a row group of `rows` rows, the large plain ones compressed: 64 bytes a key become 27, in 0.35 CPU
 * seconds a million on the threads of the pool, not on the one that scans. 4-byte numbers (slots, idle times) are too
 * random to be worth their time.
 */
export async function compressColumns(
  specs: readonly ColumnSpec[],
  columns: readonly EncodedColumn[],
  rows: number,
): Promise<EncodedColumn[]> {
  return Promise.all(
    columns.map(async (column, i) => {
      const data = column.buffers[1];
      if (specs[i]!.type === 'int32' || column.dictionaryBytes > 0 || !data || data.byteLength < MIN_BYTES)
        return column;
      return gzippedColumn(data, await zip(data, { level: 1, memLevel: 9 }), rows);
    }),
  );
}
