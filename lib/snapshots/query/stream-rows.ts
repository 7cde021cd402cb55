import type { DuckDBValue } from '@duckdb/node-api';
import { AppError } from '@/lib/model/errors';
import { type Row, readChunkRows, type SqlValue } from './duckdb';
import type { Lane } from './lanes';
import { type SnapshotRef, type Source, withSource } from './with-source';

/** Name of the column that marks the last row of every stream. */
const END = '__end';

interface StreamRowsOptions {
  /** Default: `work`. */
  lane?: Lane;
  /** A reader that takes nothing for this many ms loses the connection. Default: no limit. */
  stallMs?: number;
  /** Called once when the reader has stalled, because the reader may never come to receive the error. */
  onStall?: (error: AppError) => void;
  /** See SourceOptions (with-source.ts). */
  below?: string | undefined;
}

/**
 * Yields rows in the order of the files, in chunks of at most 2,048. The database computes no further than is read. The
 * connection is held until the last row was taken, the reader has gone away, or it has stalled. Errors: `busy`;
 * `too_large` for a reader that continues after it has stalled.
 *
 * The binding reports a query that failed on its way like one that has ended: there is no further chunk. So an end row
 * is added to each query, and a stream without it throws `snapshot_unreadable`, because half a list must not pass for a
 * whole one.
 */
export async function* streamRows(
  ref: SnapshotRef,
  sql: (keys: string) => string,
  values: readonly SqlValue[],
  { lane = 'work', stallMs, onStall, below }: StreamRowsOptions = {},
): AsyncGenerator<Row[]> {
  ref.signal?.throwIfAborted();
  const stop = new AbortController();
  const abort = () => stop.abort(ref.signal?.reason);
  // Ends the wait for a reader that takes no rows.
  stop.signal.addEventListener('abort', () => confirmTaken?.(), { once: true });
  ref.signal?.addEventListener('abort', abort, { once: true });
  /** Resolves `next`: with rows, or with null after the last ones. */
  let deliver!: (chunk: Row[] | null) => void;
  /** Lets `produce` continue after the reader has taken the rows. */
  let confirmTaken: (() => void) | undefined;
  let next = new Promise<Row[] | null>((resolve) => {
    deliver = resolve;
  });
  // The connection is kept for the whole stream. If it were returned in between, the stream would queue again.
  const limits = { signal: stop.signal, timeoutMs: undefined, lane, below };
  const producing = withSource(ref, produce, limits);
  async function produce({ connection, keys }: Source): Promise<void> {
    const marked = `SELECT *, NULL AS ${END} FROM (${sql(keys)}) UNION ALL BY NAME SELECT true AS ${END}`;
    const result = await connection.stream(marked, values as DuckDBValue[]);
    const names = result.columnNames().slice(0, -1);
    for (let ended = false; !ended; ) {
      const chunk = await result.fetchChunk();
      if (stop.signal.aborted) break;
      if (!chunk || chunk.rowCount === 0)
        throw new AppError('snapshot_unreadable', 'The files of this snapshot could not be read to their end.');
      ended = chunk.getColumnVector(names.length).getItem(chunk.rowCount - 1) === true;
      const rows = readChunkRows(names, chunk);
      if (ended) rows.pop();
      if (rows.length === 0) continue;
      const wasTaken = new Promise<void>((resolve) => {
        confirmTaken = resolve;
      });
      deliver(rows);
      await wasTaken;
    }
  }
  const settled = producing.then(
    () => deliver(null),
    () => deliver(null),
  );
  const stall = () => {
    const error = new AppError('too_large', 'The reader took nothing for too long, so the download was ended.');
    stop.abort(error);
    onStall?.(error);
  };
  try {
    for (;;) {
      const rows = await next;
      if (rows === null) break;
      const timer = stallMs === undefined ? undefined : setTimeout(stall, stallMs);
      try {
        yield rows;
      } finally {
        clearTimeout(timer);
      }
      stop.signal.throwIfAborted();
      next = new Promise((resolve) => {
        deliver = resolve;
      });
      confirmTaken?.();
    }
    await producing;
  } finally {
    ref.signal?.removeEventListener('abort', abort);
    stop.abort();
    await settled;
  }
}
