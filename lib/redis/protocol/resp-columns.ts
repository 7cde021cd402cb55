import type { RespExpectation, RespReader } from './resp-reader';

const BUCKETS = 256;
/** How many words the table holds at most; once it is full, unknown words become new strings. */
const CAPACITY = 128;

interface Word {
  bytes: Uint8Array;
  text: string;
}

/** Known words, by a hash of their bytes. */
const table: (Word[] | undefined)[] = new Array(BUCKETS).fill(undefined);
let size = 0;

/**
 * Returns the text in `buffer[from, to)`. Types and encodings are the same dozen words a million times over, so a word
 * is looked up by its bytes, and no string is created per key.
 */
function internWord(buffer: Uint8Array, from: number, to: number): string {
  const length = to - from;
  if (length === 0) return '';
  const bucket = (length * 31 + buffer[from]! * 7 + buffer[to - 1]!) & (BUCKETS - 1);
  const words = table[bucket];
  if (words !== undefined) {
    search: for (let w = 0; w < words.length; w++) {
      const { bytes, text } = words[w]!;
      if (bytes.length !== length) continue;
      for (let i = 0; i < length; i++) if (bytes[i] !== buffer[from + i]) continue search;
      return text;
    }
  }
  const bytes = Uint8Array.from(buffer.subarray(from, to));
  const text = Buffer.from(bytes).toString('latin1');
  if (size < CAPACITY && length <= 64) {
    size++;
    if (words === undefined) table[bucket] = [{ bytes, text }];
    else words.push({ bytes, text });
  }
  return text;
}

/** Values of a column of numbers for a nil and for a reply that is no number; real replies are never below -2. */
export const RAW_NIL = -3;
export const RAW_ERROR = -4;

/** The column that receives the replies of one command: numbers or words, one entry per key. */
export type RespColumn = { numbers: Float64Array; words: null } | { numbers: null; words: (string | null)[] };

/**
 * Reads the replies to `rows × columns` commands, row by row: each number or word goes straight into its array. A reply
 * that does not fit its column (an error, a nil, a number for a word) becomes a state, never a value.
 */
export class RespColumns implements RespExpectation {
  done = false;
  private row: number;
  private column = 0;

  /** Reads rows `from…to` of the arrays; if `rows` is given, `rows[from…to]` are the indexes. */
  constructor(
    private readonly columns: readonly RespColumn[],
    from: number,
    private readonly to: number,
    private readonly rows: ArrayLike<number> | null,
    private readonly onError: (index: number, column: number, message: string) => void,
  ) {
    this.row = from;
  }

  read(reader: RespReader): boolean {
    const { columns, to, rows } = this;
    const width = columns.length;
    const { buffer, end } = reader;
    let replies = 0;
    for (; this.row < to; this.row++) {
      const index = rows === null ? this.row : rows[this.row]!;
      for (; this.column < width; this.column++) {
        const start = reader.at;
        if (start >= end) {
          reader.endReplies(replies);
          return false;
        }
        const type = buffer[start];
        const target = columns[this.column]!;
        if (type === 0x3a && target.numbers !== null) {
          // This path decides the speed: it parses an integer digit by digit, without a function call.
          let i = start + 1;
          let byte = i < end ? buffer[i]! : 0;
          const negative = byte === 45;
          if (negative) byte = ++i < end ? buffer[i]! : 0;
          const firstDigit = i;
          let value = 0;
          while (byte >= 48 && byte <= 57) {
            value = value * 10 + (byte - 48);
            byte = ++i < end ? buffer[i]! : 0;
          }
          if (i + 1 < end && byte === 13 && buffer[i + 1] === 10 && i > firstDigit && i - firstDigit <= 20) {
            target.numbers[index] = negative ? -value : value;
            reader.at = i + 2;
            replies++;
            continue;
          }
        }
        if (!this.readAny(reader, index, target)) {
          reader.endReplies(replies);
          return false;
        }
        replies++;
      }
      this.column = 0;
    }
    reader.endReplies(replies);
    return true;
  }

  /** Reads one reply of any kind; false = more bytes are needed. */
  private readAny(reader: RespReader, index: number, target: RespColumn): boolean {
    const start = reader.at;
    const { buffer } = reader;
    if (reader.startsPushed()) return false;
    if (!reader.findLineEnd(start + 1)) return false;
    const { lineEnd } = reader;
    const next = lineEnd + 2;
    switch (buffer[start]) {
      case 0x2b: // +
        storeWord(target, index, buffer, start + 1, lineEnd);
        reader.at = next;
        return true;
      case 0x24: {
        // $
        const size = reader.parseSize(start + 1, reader.limits.lineBytes);
        if (size === -1) {
          storeState(target, index, RAW_NIL);
          reader.at = next;
          return true;
        }
        if (!reader.hasBody(next, size)) return false;
        storeWord(target, index, buffer, next, next + size);
        reader.at = next + size + 2;
        return true;
      }
      case 0x3a: // :
        if (target.numbers) target.numbers[index] = reader.parseInteger(start + 1);
        else storeState(target, index, RAW_ERROR);
        reader.at = next;
        return true;
      case 0x5f: // _
        storeState(target, index, RAW_NIL);
        reader.at = next;
        return true;
      case 0x2d: // -
        storeState(target, index, RAW_ERROR);
        this.onError(index, this.column, buffer.toString('latin1', start + 1, lineEnd));
        reader.at = next;
        return true;
      case 0x2a: // * nil array of RESP2
        if (reader.parseInteger(start + 1) !== -1)
          reader.fail('The reply is an array where a number or a string was expected.');
        storeState(target, index, RAW_NIL);
        reader.at = next;
        return true;
      default:
        return reader.failOnType();
    }
  }
}

function storeWord(target: RespColumn, index: number, buffer: Buffer, from: number, to: number): void {
  if (target.words) target.words[index] = internWord(buffer, from, to);
  else target.numbers[index] = RAW_ERROR;
}

function storeState(target: RespColumn, index: number, value: number): void {
  if (target.words) target.words[index] = null;
  else target.numbers[index] = value;
}
