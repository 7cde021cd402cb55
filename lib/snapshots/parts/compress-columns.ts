import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { type ColumnSpec, type EncodedColumn, gzippedColumn } from './parquet-pages';

const zip = promisify(gzip);
const REPEATING = { level: 1, memLevel: 9 };
/** Nothing repeats in slots, but half of their bytes are zero: short codes are all that helps. */
const RANDOM = { ...REPEATING, strategy: constants.Z_HUFFMAN_ONLY };
/** Too random to be worth their time. */
const LEFT_AS_THEY_ARE = 'idle_seconds';
/** Small pages (dictionaries, columns of one value) gain nothing. */
const MIN_BYTES = 4096;

/** Each compression at work holds half a MiB; a scan of many nodes would begin hundreds at once. */
const lanes: Promise<unknown>[] = [Promise.resolve(), Promise.resolve()];
let turn = 0;

/**
 * The columns of a row group of `rows` rows, the large plain ones compressed: 64 bytes a key become 27, in 0.35 CPU
 * seconds a million on the threads of the pool, not on the one that scans.
 */
export async function compressColumns(
  specs: readonly ColumnSpec[],
  columns: readonly EncodedColumn[],
  rows: number,
): Promise<EncodedColumn[]> {
  const gains = (column: EncodedColumn, { name }: ColumnSpec) =>
    name !== LEFT_AS_THEY_ARE && column.dictionaryBytes === 0 && column.buffers[1]!.byteLength >= MIN_BYTES;
  return inLane(async () => {
    const written: EncodedColumn[] = [];
    for (const [i, column] of columns.entries()) {
      const spec = specs[i]!;
      const data = column.buffers[1]!;
      const how = spec.type === 'int32' ? RANDOM : REPEATING;
      written.push(gains(column, spec) ? gzippedColumn(data, await zip(data, how), rows) : column);
    }
    return written;
  });
}

function inLane<T>(work: () => Promise<T>): Promise<T> {
  const lane = turn++ % lanes.length;
  const done = lanes[lane]!.then(work);
  // The next one has its turn whatever became of this one; who asked for it hears of it.
  lanes[lane] = done.catch(() => {});
  return done;
}
