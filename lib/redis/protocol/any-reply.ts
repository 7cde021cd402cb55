import type { RespExpectation, RespReader } from './resp-reader';

/** An error reply, used as a value: a denied command is an answer, not a lost connection. */
export class RedisReplyError extends Error {
  /** The first word of the reply: `NOPERM`, `WRONGTYPE`, `ERR`… */
  readonly code: string;
  constructor(message: string) {
    super(message);
    this.name = 'RedisReplyError';
    this.code = message.split(' ', 1)[0] ?? '';
  }
}

/** Any reply as a value. Strings of all kinds are bytes; RESP3 maps are Maps in the order of the server. */
export type Reply = Buffer | number | bigint | boolean | null | RedisReplyError | Reply[] | Map<Reply, Reply>;

/** An array, map or attribute whose elements are being read. */
interface Frame {
  kind: 'array' | 'map' | 'attribute';
  /** How many values are still missing. */
  left: number;
  items: Reply[];
}

/**
 * Reads one reply of unknown shape and resumes where the bytes ended. It uses an explicit stack instead of recursion,
 * so that deep nesting reaches a limit instead of overflowing the call stack. Used for the handshake and for single
 * calls, never per key.
 */
export class RespAnyReply implements RespExpectation {
  done = false;
  value: Reply = null;
  private readonly stack: Frame[] = [];
  /** How many values the headers have announced so far, for the limit. */
  private elements = 0;

  /**
   * `isPushed` = an attribute or push message is read, only to be dropped. If the reply is an array, `onElement`
   * receives each element as soon as it is read; the array itself stays empty, so a long one takes no memory here.
   */
  constructor(
    private readonly isPushed = false,
    private readonly onElement: ((element: Reply) => void) | null = null,
  ) {}

  read(reader: RespReader): boolean {
    for (;;) {
      if (reader.at >= reader.end) return false;
      if (!this.isPushed && this.stack.length === 0 && reader.startsPushed()) return false;
      const token = this.readToken(reader);
      if (token === undefined) return false;
      if (this.addToken(token)) {
        if (!this.isPushed) reader.endReply();
        return true;
      }
    }
  }

  /** Reads one token: a scalar, or OPENED after a frame was put on the stack; undefined = more bytes are needed. */
  private readToken(reader: RespReader): Reply | typeof OPENED | undefined {
    const start = reader.at;
    const type = reader.buffer[start]!;
    if (!reader.findLineEnd(start + 1)) return undefined;
    const { lineEnd, buffer } = reader;
    const next = lineEnd + 2;
    switch (type) {
      case 0x2b: // +
        reader.at = next;
        return Buffer.from(buffer.subarray(start + 1, lineEnd));
      case 0x2d: // -
        reader.at = next;
        return new RedisReplyError(buffer.toString('latin1', start + 1, lineEnd));
      case 0x3a: {
        // :
        const number = reader.parseInteger(start + 1);
        reader.at = next;
        if (Number.isSafeInteger(number)) return number;
        return BigInt(buffer.toString('latin1', start + 1, lineEnd).replace('+', ''));
      }
      case 0x28: {
        // ( big number
        const text = buffer.toString('latin1', start + 1, lineEnd);
        if (!/^[+-]?\d{1,400}$/.test(text)) reader.fail('A big number in the reply is malformed.');
        reader.at = next;
        return BigInt(text.replace('+', ''));
      }
      case 0x5f: // _
        reader.at = next;
        return null;
      case 0x23: // #
        if (lineEnd - start !== 2) reader.fail('A boolean in the reply is malformed.');
        reader.at = next;
        return buffer[start + 1] === 0x74;
      case 0x2c: // ,
        reader.at = next;
        return toDouble(buffer.toString('latin1', start + 1, lineEnd), reader);
      case 0x24: // $
      case 0x21: // ! blob error
      case 0x3d: {
        // = verbatim string
        const size = reader.parseSize(start + 1, reader.limits.replyBytes);
        if (size === -1) {
          reader.at = next;
          return null;
        }
        if (!reader.hasBody(next, size)) return undefined;
        reader.at = next + size + 2;
        const bytes = Buffer.from(buffer.subarray(next, next + size));
        if (type === 0x21) return new RedisReplyError(bytes.toString('latin1'));
        return type === 0x3d && size >= 4 ? bytes.subarray(4) : bytes;
      }
      case 0x2a: // *
      case 0x7e: // ~ set
      case 0x3e: // > push
        return this.open(reader, 'array', start, next, 1);
      case 0x25: // %
        return this.open(reader, 'map', start, next, 2);
      case 0x7c: // |
        return this.open(reader, 'attribute', start, next, 2);
      default:
        return reader.failOnType();
    }
  }

  /** Puts a frame on the stack for an array or map of as many entries as its header says. null = a nil array. */
  private open(
    reader: RespReader,
    kind: Frame['kind'],
    start: number,
    next: number,
    valuesPerEntry: number,
  ): Reply | typeof OPENED {
    const size = reader.parseSize(start + 1, reader.limits.elements);
    this.elements += Math.max(0, size) * valuesPerEntry;
    if (this.elements > reader.limits.elements * 2) reader.fail('The reply has too many elements.');
    if (this.stack.length >= reader.limits.depth) reader.fail('The reply is nested too deeply.');
    // The header counts against the limit of the reply as other bytes do.
    reader.hasBody(next - 2, 0);
    reader.at = next;
    if (size === -1) return null;
    this.stack.push({ kind, left: size * valuesPerEntry, items: [] });
    return OPENED;
  }

  /**
   * Puts a finished value into its parent and closes parents that are full. Returns true when the whole reply is read.
   */
  private addToken(token: Reply | typeof OPENED): boolean {
    let value: Reply;
    if (token === OPENED) {
      if (this.stack.at(-1)!.left > 0) return false;
      const closed = this.close();
      if (closed === DROPPED) return this.isPushed && this.stack.length === 0;
      value = closed;
    } else value = token;
    for (;;) {
      const parent = this.stack.at(-1);
      if (parent === undefined) {
        this.value = value;
        return true;
      }
      if (this.onElement !== null && this.stack.length === 1) {
        this.onElement(value);
        this.elements = 0;
      } else parent.items.push(value);
      if (--parent.left > 0) return false;
      const closed = this.close();
      if (closed === DROPPED) return this.isPushed && this.stack.length === 0;
      value = closed;
    }
  }

  private close(): Reply | typeof DROPPED {
    const { kind, items } = this.stack.pop()!;
    if (kind === 'attribute') return DROPPED;
    if (kind === 'array') return items;
    const map = new Map<Reply, Reply>();
    for (let i = 0; i + 1 < items.length; i += 2) {
      const key = items[i]!;
      // Two Buffers are never equal as Map keys, so text keys are stored as their latin1 text.
      map.set(Buffer.isBuffer(key) ? (key.toString('latin1') as unknown as Reply) : key, items[i + 1]!);
    }
    return map;
  }
}

/** A frame was put on the stack. */
const OPENED = Symbol('opened');
/** An attribute was read, which is no part of the reply. */
const DROPPED = Symbol('dropped');

function toDouble(text: string, reader: RespReader): number {
  if (text === 'inf' || text === '+inf') return Number.POSITIVE_INFINITY;
  if (text === '-inf') return Number.NEGATIVE_INFINITY;
  if (text === 'nan' || text === '-nan') return Number.NaN;
  if (!/^[+-]?\d+(\.\d*)?([eE][+-]?\d+)?$|^[+-]?\.\d+([eE][+-]?\d+)?$/.test(text)) {
    reader.fail('A double in the reply is malformed.');
  }
  return Number(text);
}
