import type { DuckDBValue } from '@duckdb/node-api';
import { type Row, rowsOfChunk, type SqlValue, withConnection } from './duckdb';
import { type SnapshotRef, withSource } from './with-source';

/**
 * Rows in the order of the file, a chunk of at most 2,048 at a time; the database computes no further than is read. The
 * connection is held until the last row was taken or the reader has gone away.
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
    const result = await connection.stream(sql(keys), values as DuckDBValue[]);
    const names = result.columnNames();
    for (;;) {
      const chunk = await result.fetchChunk();
      if (stop.signal.aborted || !chunk || chunk.rowCount === 0) break;
      const wasTaken = new Promise<void>((resolve) => {
        taken = resolve;
      });
      give(rowsOfChunk(names, chunk));
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
