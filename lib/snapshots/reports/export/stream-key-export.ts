import { stringify } from 'csv-stringify/sync';
import { AppError } from '@/lib/model/errors';
import type { KeyFilter } from '@/lib/model/filter';
import { FILE_TYPES, type FileFormat } from '@/lib/model/reports/file-formats';
import type { ReportQuery } from '@/lib/model/reports/query';
import { getSnapshotAsOf, type KeyRow } from '@/lib/model/snapshots/snapshot';
import { CSV_OPTIONS } from '@/lib/model/text/csv-options';
import { buildFilterWhere } from '@/lib/snapshots/key-query/filter-where';
import { findFilterPrefix } from '@/lib/snapshots/key-query/find-filter-prefix';
import { getNameBytes, type KeyColumns, keyColumns, toKeyRow } from '@/lib/snapshots/key-query/key-row';
import { streamParquetFile, writeParquet } from '@/lib/snapshots/query/export-file';
import { streamRows } from '@/lib/snapshots/query/stream-rows';
import { type SnapshotRef, withSource } from '@/lib/snapshots/query/with-source';

/** `delimiter` is the one that a template was shown with. */
export type ExportFilter = KeyFilter & Pick<ReportQuery, 'delimiter'>;

interface Pace {
  /** Length of a window in ms. Only time spent waiting for the reader counts, not the time that the server takes. */
  windowMs: number;
  /** Bytes that the reader has to take in each window. */
  minBytes: number;
}

/**
 * About 17 KB per second. A slower reader would hold one of three connections forever by taking a piece now and then.
 */
export const MIN_PACE: Pace = { windowMs: 120_000, minBytes: 2 * 1024 * 1024 };

/**
 * Exports the key list under a filter as a download, row by row, so that memory stays the same whether it has ten rows
 * or ten million. A CSV is made for spreadsheets: it has a byte order mark, and texts that a spreadsheet would run as a
 * formula begin with an apostrophe. The exact bytes are in the column `key_base64` (empty only for names too long to
 * keep). Live snapshots export the keys that are there so far.
 */
export async function streamKeyExport(
  ref: SnapshotRef,
  filter: ExportFilter,
  format: FileFormat,
  pace: Pace = MIN_PACE,
): Promise<{ stream: ReadableStream<Uint8Array>; contentType: string }> {
  const stream = format === 'parquet' ? await streamParquet(ref, filter) : await streamText(ref, filter, format, pace);
  return { stream, contentType: FILE_TYPES[format] };
}

/**
 * A reader that does not take even one piece (about 300 KB) within this time is disconnected, so that others get its
 * place.
 */
const STALL_MS = 60_000;

async function streamText(
  ref: SnapshotRef,
  filter: ExportFilter,
  format: Exclude<FileFormat, 'parquet'>,
  minPace: Pace,
): Promise<ReadableStream<Uint8Array>> {
  let fail: (error: Error) => void = () => {};
  const { asOf, rows } = openRows(ref, filter, (error) => fail(error));
  // Read the first rows now, so that a failure at the beginning is reported before anything is sent.
  const first = await rows.next();
  const encoder = new TextEncoder();
  const encode = format === 'csv' ? createCsvEncoder(ref, asOf) : encodeJsonLines;
  async function* pieces() {
    if (format === 'csv') yield encoder.encode(`\ufeff${stringify([CSV_COLUMNS])}`);
    if (!first.done) yield encoder.encode(encode(first.value as KeyColumns[]));
    for await (const some of rows) yield encoder.encode(encode(some as KeyColumns[]));
  }
  const pace = new ReaderPace(minPace);
  const iterator = pieces();
  // The rows are ended also if the reader leaves before it has begun, because a generator that was not entered does not
  // clean up.
  const endRows = () => void rows.return(undefined).catch(() => {});
  let last: { bytes: number; sentAt: number } | null = null;
  // A piece is made only when it is requested. So it is known how long the reader takes for a piece, and no file waits
  // in memory.
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        fail = (error) => controller.error(error);
      },
      async pull(controller) {
        try {
          if (last) pace.recordTaken(last.bytes, performance.now() - last.sentAt);
          const { value, done } = await iterator.next();
          if (done) return controller.close();
          last = { bytes: value.length, sentAt: performance.now() };
          controller.enqueue(value);
        } catch (error) {
          endRows();
          throw error;
        }
      },
      cancel: endRows,
    },
    { highWaterMark: 0 },
  );
}

function openRows(ref: SnapshotRef, filter: ExportFilter, onStall: (error: Error) => void) {
  const asOf = getSnapshotAsOf(ref.manifest);
  const where = buildFilterWhere(filter, { ...ref, asOf }, filter.delimiter);
  const buildSql = (keys: string) => `SELECT ${keyColumns} FROM ${keys} ${where.sql}`;
  const below = findFilterPrefix(filter, filter.delimiter);
  const rows = streamRows(ref, buildSql, where.values, { lane: 'export', stallMs: STALL_MS, onStall, below });
  return { asOf, rows };
}

const CSV_COLUMNS = [
  'name',
  'key_base64',
  'name_bytes',
  'node',
  'db',
  'type',
  'encoding',
  'expire_at',
  'expiry',
  'ttl_seconds',
  'bytes',
  'length',
  'idle_seconds',
  'freq',
  'slot',
  'tag',
];

function createCsvEncoder(ref: SnapshotRef, asOf: number) {
  return (rows: KeyColumns[]): string =>
    stringify(
      rows.map((row) => [
        row.name,
        getNameBytes(row)?.toString('base64') ?? '',
        row.name_bytes,
        ref.manifest.nodes[row.node]?.address ?? row.node,
        row.db,
        row.type,
        row.encoding,
        row.expire_at === null ? null : new Date(row.expire_at).toISOString(),
        row.expire_at !== null ? 'yes' : row.expiry_known ? 'none' : 'unknown',
        row.expire_at === null ? null : Math.floor((row.expire_at - asOf) / 1000),
        row.bytes,
        row.length,
        row.idle_seconds,
        row.freq,
        row.slot,
        row.tag,
      ]),
      CSV_OPTIONS,
    );
}

function encodeJsonLines(rows: KeyColumns[]): string {
  return rows.map((row): string => `${JSON.stringify(toKeyRow(row) satisfies KeyRow)}\n`).join('');
}

function streamParquet(ref: SnapshotRef, filter: ExportFilter): Promise<ReadableStream<Uint8Array>> {
  return streamParquetFile(ref.dir, (file) =>
    withSource(
      ref,
      (source) => {
        const where = buildFilterWhere(filter, source, filter.delimiter);
        return writeParquet(source, `SELECT ${keyColumns} FROM ${source.keys} ${where.sql}`, where.values, file);
      },
      { timeoutMs: 600_000, lane: 'export', below: findFilterPrefix(filter, filter.delimiter) },
    ),
  );
}

/** Measures the pace of a reader, to end downloads that take something again and again, but too little. */
export class ReaderPace {
  private waitedMs = 0;
  private bytes = 0;

  constructor(private readonly pace: Pace = MIN_PACE) {}

  /**
   * Records that the reader took `bytes` after `waitedMs`. Errors: `too_large` when the window that ends now had too
   * few bytes.
   */
  recordTaken(bytes: number, waitedMs: number): void {
    this.bytes += bytes;
    this.waitedMs += waitedMs;
    if (this.waitedMs < this.pace.windowMs) return;
    if (this.bytes < this.pace.minBytes)
      throw new AppError('too_large', 'The reader took too little for too long, so the download was ended.');
    this.bytes = 0;
    this.waitedMs = 0;
  }
}
