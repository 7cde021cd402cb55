import type { DuckDBValue } from '@duckdb/node-api';
import { AppError } from '@/lib/model/errors';
import { type Row, rowsOfChunk, type SqlValue, withConnection } from './duckdb';
import { type SnapshotRef, withSource } from './with-source';

/** The last row of every stream; a column of that name marks it. */
const END = '__end';

/**
 * Rows in the order of the file, a chunk of at most 2,048 at a time; the database computes no further than is read. The
 * connection is held until the last row was taken or the reader has gone away.
 *
 * The binding tells a query that failed on its way exactly as one that is over: no further chunk. So the query ends in a row of our own,
 * and a stream without it throws `snapshot_unreadable`: half a list must not pass for a whole one.
 */
export async function* streamRows(
  ref: SnapshotRef,
  sql: (keys: string) => string,
  values: readonly SqlValue[],
): AsyncGenerator<Row[]> {
  const { keys } = await withSource(ref, async (source) => ({ keys: source.keys }));
  const stop = new AbortController();
  let give!: (chunk: Row[] | null) => void;
  let taken!: () => void;
  let next = new Promise<Row[] | null>((resolve) => {
    give = resolve;
  });
  const producing = withConnection(ref.dir, { signal: stop.signal }, async (connection) => {
    const marked = `SELECT *, NULL AS ${END} FROM (${sql(keys)}) UNION ALL BY NAME SELECT true AS ${END}`;
    const result = await connection.stream(marked, values as DuckDBValue[]);
    const names = result.columnNames().slice(0, -1);
    for (let ended = false; !ended; ) {
      const chunk = await result.fetchChunk();
      if (stop.signal.aborted) break;
      if (!chunk || chunk.rowCount === 0)
        throw new AppError('snapshot_unreadable', 'The files of this snapshot could not be read to their end.');
      ended = chunk.getColumnVector(names.length).getItem(chunk.rowCount - 1) === true;
      const rows = rowsOfChunk(names, chunk);
      if (ended) rows.pop();
      if (rows.length === 0) continue;
      const wasTaken = new Promise<void>((resolve) => {
        taken = resolve;
      });
      give(rows);
      await wasTaken;
    }
  });
  const failed = producing.then(
    () => give(null),
    () => give(null),
  );
  try {
    for (;;) {
      const rows = await next;
      if (rows === null) break;
      yield rows;
      next = new Promise((resolve) => {
        give = resolve;
      });
      taken();
    }
    await producing;
  } finally {
    stop.abort();
    taken?.();
    await failed;
  }
}
