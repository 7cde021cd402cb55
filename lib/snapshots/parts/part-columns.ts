import { toDisplayName } from '@/lib/model/keys/display-name';
import { type FactsPage, UNKNOWN } from '@/lib/model/snapshots/facts-page';
import {
  type ColumnSpec,
  type EncodedColumn,
  encodeConstantColumn,
  encodeDictionaryColumn,
  encodePlainColumn,
} from './parquet-pages';

/** Maximum number of rows of a row group, which is built in memory. */
export const GROUP_ROWS = 32_768;
/** When names take more than this per row on average, the group is written early, so that memory stays bounded. */
const NAME_BYTES_PER_ROW = 256;
/** Texts longer than this are counted in `longTextBytes`, because sealing folds the ids of 2,048 names at a time. */
const LONG_TEXT_BYTES = 2048;
/** Bytes per row that are allocated for names at first. Usual names are about 30 bytes long. */
const FIRST_NAME_BYTES_PER_ROW = 32;
/**
 * A code is one byte. Only a server that invents types or encodings has more than 255 of them; the others are stored as
 * unknown.
 */
const MAX_TEXTS = 255;

export const PART_COLUMNS: ColumnSpec[] = [
  { name: 'name', type: 'text' },
  { name: 'raw', type: 'bytes' },
  { name: 'long_bytes', type: 'int32' },
  { name: 'sha256', type: 'text' },
  { name: 'type', type: 'text' },
  { name: 'encoding', type: 'text' },
  { name: 'expire_at', type: 'double' },
  { name: 'bytes', type: 'double' },
  { name: 'length', type: 'double' },
  { name: 'idle_seconds', type: 'int32' },
  { name: 'freq', type: 'int32' },
  { name: 'slot', type: 'int32' },
  { name: 'node', type: 'int32' },
  { name: 'db', type: 'int32' },
  { name: 'sequence', type: 'int32' },
];

/** A column of few different texts: each text once, and its code for each row. Code 0 is the empty text, for null. */
class Texts {
  texts: string[] = [''];
  readonly codes: Uint8Array;
  private known = new Map<string, number>();
  private lastText: string | null = null;
  private lastCode = 0;

  constructor(rows: number) {
    // encodeDictionaryColumn reads up to a multiple of 8 rows.
    this.codes = new Uint8Array(rows + 8);
  }

  set(row: number, text: string | null): void {
    if (text !== this.lastText) {
      this.lastText = text;
      this.lastCode = text === null ? 0 : (this.known.get(text) ?? this.add(text));
    }
    this.codes[row] = this.lastCode;
  }

  private add(text: string): number {
    if (this.texts.length > MAX_TEXTS) return 0;
    this.known.set(text, this.texts.length);
    return this.texts.push(text) - 1;
  }
}

/** Buffer of length-prefixed byte strings, one after the other. */
class Strings {
  data: Buffer;
  position = 0;

  constructor(bytes: number) {
    this.data = Buffer.allocUnsafeSlow(bytes);
  }

  reserve(bytes: number): void {
    if (this.position + bytes <= this.data.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(this.data.length * 2, this.position + bytes));
    this.data.copy(grown, 0, 0, this.position);
    this.data = grown;
  }

  push(value: Uint8Array): void {
    this.reserve(value.length + 4);
    this.data.writeUInt32LE(value.length, this.position);
    this.data.set(value, this.position + 4);
    this.position += value.length + 4;
  }

  view(): Uint8Array {
    return this.data.subarray(0, this.position);
  }
}

const EMPTY = new Uint8Array(0);

/**
 * One row group of a part. Facts arrive as columns and stay columns: numbers are copied as blocks. A name is copied
 * byte by byte and checked for bytes that need escaping in the same pass, because two passes would cost twice. States
 * (unknown, no expiry) stay the negative numbers of FactsPage here; lib/snapshots/query/columns.ts turns them into
 * NULL.
 */
export class RowGroup {
  rows = 0;
  /** Bytes of the names longer than LONG_TEXT_BYTES since the group was cleared. */
  longTextBytes = 0;
  private names: Strings;
  private types: Texts;
  private encodings: Texts;
  private expireAt: Float64Array;
  private bytes: Float64Array;
  private length: Float64Array;
  private idle: Int32Array;
  private freq: Int32Array;
  private slot: Int32Array;
  /** Exact bytes of the names whose display form is not exact, by row. */
  private raw = new Map<number, Buffer>();
  private long = new Map<number, { nameBytes: number; sha256: string }>();

  /** `capacity`: how many rows the group takes. */
  constructor(readonly capacity: number = GROUP_ROWS) {
    this.names = new Strings(capacity * FIRST_NAME_BYTES_PER_ROW);
    this.types = new Texts(capacity);
    this.encodings = new Texts(capacity);
    this.expireAt = new Float64Array(capacity);
    this.bytes = new Float64Array(capacity);
    this.length = new Float64Array(capacity);
    this.idle = new Int32Array(capacity);
    this.freq = new Int32Array(capacity);
    this.slot = new Int32Array(capacity);
  }

  get nameBytes(): number {
    return this.names.position;
  }

  get full(): boolean {
    return this.rows >= this.capacity || this.names.position >= this.capacity * NAME_BYTES_PER_ROW;
  }

  /** Empties the group for reuse. Its dictionaries are new, because a dictionary belongs to one group. */
  clear(): void {
    this.rows = 0;
    this.longTextBytes = 0;
    this.names.position = 0;
    this.types = new Texts(this.capacity);
    this.encodings = new Texts(this.capacity);
    this.raw.clear();
    this.long.clear();
  }

  /** Takes rows from index `from` on while there is space; returns the index of the first row not taken. */
  take(page: FactsPage, from: number): number {
    const first = this.rows;
    let taken = 0;
    const max = Math.min(page.count - from, this.capacity - first);
    const maxBytes = this.capacity * NAME_BYTES_PER_ROW;
    for (; taken < max && this.names.position < maxBytes; taken++) {
      const index = from + taken;
      const before = this.names.position;
      this.takeName(first + taken, page.names[index]!);
      const textBytes = this.names.position - before;
      if (textBytes > LONG_TEXT_BYTES) this.longTextBytes += textBytes;
      this.types.set(first + taken, page.types[index] ?? null);
      this.encodings.set(first + taken, page.encodings[index] ?? null);
    }
    const end = from + taken;
    this.expireAt.set(page.expireAt.subarray(from, end), first);
    this.bytes.set(page.bytes.subarray(from, end), first);
    this.length.set(page.length.subarray(from, end), first);
    this.idle.set(page.idleSeconds.subarray(from, end), first);
    this.freq.set(page.freq.subarray(from, end), first);
    this.slot.set(page.slot.subarray(from, end), first);
    if (page.long) {
      for (const [index, fact] of page.long) {
        if (index >= from && index < end) this.long.set(first + index - from, fact);
      }
    }
    this.rows = first + taken;
    return end;
  }

  private takeName(row: number, name: Uint8Array): void {
    const length = name.length;
    const strings = this.names;
    strings.reserve(length + 4);
    const data = strings.data;
    let at = strings.position;
    data[at] = length & 255;
    data[at + 1] = (length >>> 8) & 255;
    data[at + 2] = (length >>> 16) & 255;
    data[at + 3] = length >>> 24;
    at += 4;
    // Negative if a byte is outside printable ASCII or is a backslash, because then one of the differences is negative.
    let signs = 0;
    for (let i = 0; i < length; i++) {
      const byte = name[i]!;
      data[at + i] = byte;
      signs |= (byte - 0x20) | (0x7e - byte) | ((byte ^ 0x5c) - 1);
    }
    if (signs >= 0) {
      strings.position = at + length;
      return;
    }
    const bytes = Buffer.from(name);
    const shown = toDisplayName(bytes);
    if (!shown.exact) this.raw.set(row, bytes);
    strings.push(Buffer.from(shown.name));
  }

  /** Encodes the columns in the order of PART_COLUMNS. The buffers are views: write them before `clear()`. */
  encode(node: number, db: number, sequence: number): EncodedColumn[] {
    const rows = this.rows;
    const view = (a: Float64Array | Int32Array) =>
      encodePlainColumn(new Uint8Array(a.buffer, 0, rows * a.BYTES_PER_ELEMENT), rows);
    const encodeConstantOr = (a: Int32Array) => {
      for (let i = 0; i < rows; i++) if (a[i] !== UNKNOWN) return view(a);
      return encodeConstantColumn(UNKNOWN, rows);
    };
    return [
      encodePlainColumn(this.names.view(), rows),
      this.raw.size === 0 ? encodeConstantColumn('', rows) : this.encodeSparse((row) => this.raw.get(row) ?? EMPTY),
      this.long.size === 0 ? encodeConstantColumn(UNKNOWN, rows) : this.encodeLongBytes(),
      this.long.size === 0
        ? encodeConstantColumn('', rows)
        : this.encodeSparse((row) => Buffer.from(this.long.get(row)?.sha256 ?? '')),
      encodeDictionaryColumn(this.types.texts, this.types.codes, rows),
      encodeDictionaryColumn(this.encodings.texts, this.encodings.codes, rows),
      view(this.expireAt),
      view(this.bytes),
      view(this.length),
      encodeConstantOr(this.idle),
      encodeConstantOr(this.freq),
      view(this.slot),
      encodeConstantColumn(node, rows),
      encodeConstantColumn(db, rows),
      encodeConstantColumn(sequence, rows),
    ];
  }

  private encodeSparse(value: (row: number) => Uint8Array): EncodedColumn {
    const strings = new Strings(this.rows * FIRST_NAME_BYTES_PER_ROW);
    for (let row = 0; row < this.rows; row++) strings.push(value(row));
    return encodePlainColumn(strings.view(), this.rows);
  }

  private encodeLongBytes(): EncodedColumn {
    const values = new Int32Array(this.rows).fill(UNKNOWN);
    for (const [row, fact] of this.long) values[row] = fact.nameBytes;
    return encodePlainColumn(new Uint8Array(values.buffer), this.rows);
  }
}
