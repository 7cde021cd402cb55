/**
 * Just enough of Parquet to write parts without the database. All columns are REQUIRED, and their pages have one of
 * three forms:
 *
 *   plain       the values as they are in memory (typed array, or length-prefixed byte arrays), compressed or not
 *   dictionary  ≤ 256 texts and one byte per row: a bit-packed run of width 8 is the array of codes itself
 *   constant    a dictionary of one value and a single run: a whole column in a few bytes
 *
 * Writing parts through DuckDB's appender costs ~1.2 µs per key on the JS thread; this costs a memory copy. The numbers
 * of fields are those of parquet.thrift.
 */

import { pushVarint, ThriftWriter } from './thrift-compact';

type Physical = 'int32' | 'double' | 'bytes' | 'text';
export interface ColumnSpec {
  name: string;
  type: Physical;
}
export interface EncodedColumn {
  buffers: Uint8Array[];
  bytes: number;
  /** Bytes without compression; equal to `bytes` if the column is not compressed. */
  plainBytes: number;
  compressed: boolean;
  /** Bytes of the dictionary page, after which the data page begins; 0 = no dictionary. */
  dictionaryBytes: number;
}
export interface RowGroupMeta {
  rows: number;
  columns: ({ offset: number } & Omit<EncodedColumn, 'buffers'>)[];
}

export const MAGIC = Buffer.from('PAR1');
const PHYSICAL_ID: Record<Physical, number> = { int32: 1, double: 5, bytes: 6, text: 6 };
const PLAIN = 0;
const RLE = 3;
const RLE_DICTIONARY = 8;
const UNCOMPRESSED = 0;
const GZIP = 2;

/** `written`: bytes of the page as it is written, if it is compressed. */
function encodePageHeader(
  kind: 'data' | 'dictionary',
  bytes: number,
  values: number,
  encoding: number,
  written = bytes,
): Buffer {
  const w = new ThriftWriter()
    .i32(1, kind === 'data' ? 0 : 2)
    .i32(2, bytes)
    .i32(3, written);
  if (kind === 'data') w.struct(5, (h) => h.i32(1, values).i32(2, encoding).i32(3, RLE).i32(4, RLE));
  else w.struct(7, (h) => h.i32(1, values).i32(2, PLAIN));
  return w.end();
}

const sumBufferBytes = (buffers: Uint8Array[]) => buffers.reduce((n, b) => n + b.byteLength, 0);

export function encodePlainColumn(data: Uint8Array, rows: number): EncodedColumn {
  const buffers = [encodePageHeader('data', data.byteLength, rows, PLAIN), data];
  return toUncompressed(buffers, 0);
}

/** Encodes the same page as `encodePlainColumn(data, rows)`. `gzipped` is the compressed `data`. */
export function encodeGzippedColumn(data: Uint8Array, gzipped: Uint8Array, rows: number): EncodedColumn {
  const head = encodePageHeader('data', data.byteLength, rows, PLAIN, gzipped.byteLength);
  const buffers = [head, gzipped];
  const plainBytes = head.byteLength + data.byteLength;
  return { buffers, bytes: sumBufferBytes(buffers), plainBytes, compressed: true, dictionaryBytes: 0 };
}

function toUncompressed(buffers: Uint8Array[], dictionaryBytes: number): EncodedColumn {
  const bytes = sumBufferBytes(buffers);
  return { buffers, bytes, plainBytes: bytes, compressed: false, dictionaryBytes };
}

function encodeWithDictionary(dictionary: Buffer, values: number, data: Uint8Array[], rows: number): EncodedColumn {
  const first = [encodePageHeader('dictionary', dictionary.length, values, PLAIN), dictionary];
  const second = [encodePageHeader('data', sumBufferBytes(data), rows, RLE_DICTIONARY), ...data];
  return toUncompressed([...first, ...second], sumBufferBytes(first));
}

function encodePlainText(text: string): Buffer {
  const body = Buffer.from(text);
  const head = Buffer.alloc(4);
  head.writeUInt32LE(body.length);
  return Buffer.concat([head, body]);
}

/** Encodes one code per row. `codes` must be readable up to a multiple of 8 rows. */
export function encodeDictionaryColumn(texts: readonly string[], codes: Uint8Array, rows: number): EncodedColumn {
  const groups = Math.ceil(rows / 8);
  // The width in bits, then a bit-packed run.
  const head = [8];
  pushVarint(head, groups * 2 + 1);
  return encodeWithDictionary(
    Buffer.concat(texts.map(encodePlainText)),
    texts.length,
    [Uint8Array.from(head), codes.subarray(0, groups * 8)],
    rows,
  );
}

export function encodeConstantColumn(value: number | string, rows: number): EncodedColumn {
  let dictionary: Buffer;
  if (typeof value === 'string') dictionary = encodePlainText(value);
  else {
    dictionary = Buffer.alloc(4);
    dictionary.writeInt32LE(value);
  }
  // The width in bits, then a run of the code 0.
  const run = [1];
  pushVarint(run, rows * 2);
  run.push(0);
  return encodeWithDictionary(dictionary, 1, [Uint8Array.from(run)], rows);
}

/** Encodes the footer with its length and the closing magic bytes. */
export function encodeFooter(columns: readonly ColumnSpec[], groups: readonly RowGroupMeta[]): Buffer {
  const rows = groups.reduce((n, g) => n + g.rows, 0);
  const w = new ThriftWriter().i32(1, 1);
  w.structs(2, [null, ...columns], (s, column) => {
    if (column === null) s.string(4, 'schema').i32(5, columns.length);
    else {
      s.i32(1, PHYSICAL_ID[column.type]).i32(3, 0).string(4, column.name);
      if (column.type === 'text') s.i32(6, 0);
    }
  });
  w.i64(3, rows);
  w.structs(4, groups, (g, group) => {
    g.structs(1, group.columns, (c, chunk) => {
      const spec = columns[group.columns.indexOf(chunk)]!;
      c.i64(2, chunk.offset).struct(3, (m) => {
        m.i32(1, PHYSICAL_ID[spec.type]).i32s(2, chunk.dictionaryBytes > 0 ? [PLAIN, RLE_DICTIONARY] : [PLAIN]);
        m.strings(3, [spec.name])
          .i32(4, chunk.compressed ? GZIP : UNCOMPRESSED)
          .i64(5, group.rows);
        m.i64(6, chunk.plainBytes).i64(7, chunk.bytes);
        m.i64(9, chunk.offset + chunk.dictionaryBytes);
        if (chunk.dictionaryBytes > 0) m.i64(11, chunk.offset);
      });
    });
    g.i64(
      2,
      group.columns.reduce((n, c) => n + c.plainBytes, 0),
    ).i64(3, group.rows);
  });
  w.string(6, 'colonnade');
  const body = w.end();
  const tail = Buffer.alloc(8);
  tail.writeUInt32LE(body.length);
  MAGIC.copy(tail, 4);
  return Buffer.concat([body, tail]);
}
