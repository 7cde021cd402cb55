/**
 * The incremental RESP2/RESP3 decoder of the scan. Bytes are pushed as the socket delivers them. A caller that waits
 * for a reply has queued a `RespExpectation` beforehand, which writes the reply to its destination (a column, a list of
 * names), so no object or promise is created per command.
 *
 * A server cannot make it allocate more than it has sent: lengths are checked before they are used, and exceeding a
 * limit ends the connection. It does not recover: after a failure the reader cannot be used any more.
 *
 * The file is long because one cursor over one buffer is all its state: every reader of a kind of reply moves it.
 */

import { AppError } from '@/lib/model/errors';

export const RESP_LIMITS = {
  /** One whole reply, 16 MiB: above it the connection is closed. */
  replyBytes: 16 * 1024 * 1024,
  /** A header, status, error or number. */
  lineBytes: 64 * 1024,
  /** Elements of one array, map or set. */
  elements: 1 << 20,
  /** Arrays within arrays. */
  depth: 16,
};
export type RespLimits = typeof RESP_LIMITS;

/** Receives one reply (or a run of replies) and writes it to its destination. */
export interface RespExpectation {
  done: boolean;
  /**
   * Consumes from `reader.at`; returns true when the reply is complete. May be called again after it returned false.
   */
  read(reader: RespReader): boolean;
}

const CR = 13;
const LF = 10;

/** A reply would exceed the limit. The scan then continues with smaller pages on a new connection. */
export class ReplyTooLarge extends AppError {
  /**
   * AppError recognises its instances by a mark (modules may be loaded more than once); this class needs its own check.
   */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof AppError && value.name === 'ReplyTooLarge';
  }

  constructor(bytes: number, limitBytes: number) {
    super('redis_protocol', 'The server sent a reply above the limit; the connection was closed.', {
      bytes,
      limitBytes,
    });
    this.name = 'ReplyTooLarge';
  }
}

export class RespReader {
  /** The bytes received and not yet consumed: `buffer[at, end)`. Only expectations move `at`. */
  buffer: Buffer = Buffer.alloc(0);
  at = 0;
  end = 0;
  /** The number of complete replies so far. */
  replies = 0;
  /** The number of bytes that were skipped so far, see `skip`. */
  skipped = 0;
  /** The index at which the line found by `findLineEnd()` ends. */
  lineEnd = 0;
  /** The expectations; those before `head` are finished. */
  private readonly queue: RespExpectation[] = [];
  private head = 0;
  /** Chunks that are kept until enough bytes have arrived to continue, and their length together. */
  private pieces: Buffer[] = [];
  private pieceBytes = 0;
  /** The number of bytes that must have arrived before reading is tried again. */
  private needed = 0;
  /** The position in the stream at which `buffer` begins. */
  private consumedBefore = 0;
  /** The position in the stream at which the present reply begins. */
  private replyStart = 0;
  /** Reads the attribute or push message that has begun. */
  private pushed: RespExpectation | null = null;
  private hasReceived = false;

  /**
   * `newPushed` creates an expectation that reads and drops what a server sends unasked (push messages, attributes).
   */
  constructor(
    private readonly newPushed: () => RespExpectation,
    readonly limits: RespLimits = RESP_LIMITS,
  ) {}

  get outstanding(): number {
    return this.queue.length - this.head;
  }

  expect(expectation: RespExpectation): void {
    this.queue.push(expectation);
  }

  /** Takes a chunk of the stream. `onDone` is called for each finished expectation, in order. */
  push(chunk: Buffer, onDone: (expectation: RespExpectation) => void): void {
    let data = chunk;
    if (this.pieceBytes > 0) {
      this.pieces.push(chunk);
      this.pieceBytes += chunk.length;
      if (this.pieceBytes < this.needed) return;
      data = Buffer.concat(this.pieces, this.pieceBytes);
    }
    this.buffer = data;
    this.at = 0;
    this.end = data.length;
    this.needed = 0;
    if (!this.hasReceived && data.length > 0) this.checkFirstByte(data);

    this.readExpected(onDone);

    const rest = this.end - this.at;
    this.consumedBefore += this.at;
    if (rest > 0) {
      this.pieces = [data.subarray(this.at)];
      this.needed = Math.max(this.needed - this.at, rest + 1);
    } else {
      this.pieces = [];
      this.needed = 0;
    }
    this.pieceBytes = rest;
    this.buffer = EMPTY;
    this.at = 0;
    this.end = 0;
  }

  /** Lets the expectations read until the bytes end. */
  private readExpected(onDone: (expectation: RespExpectation) => void): void {
    for (;;) {
      if (this.pushed) {
        if (!this.pushed.read(this)) return;
        this.pushed = null;
        this.endReply();
      }
      const next = this.queue[this.head];
      if (next === undefined) {
        if (this.at >= this.end) return;
        if (!this.startsPushed()) this.fail('The server sent a reply without a request.');
        continue;
      }
      if (next.read(this)) {
        next.done = true;
        this.queue[this.head++] = FINISHED;
        // Moving the rest of the queue at each reply would be slow, so finished expectations are removed in groups.
        if (this.head > 64 && this.head * 2 > this.queue.length) {
          this.queue.splice(0, this.head);
          this.head = 0;
        }
        onDone(next);
      } else if (this.pushed === null) return;
    }
  }

  /** Skips bytes that are not kept: they do not count against the limit of the reply, but they count as progress. */
  skip(bytes: number): void {
    this.at += bytes;
    this.skipped += bytes;
    this.replyStart += bytes;
  }

  /** Called at the end of each single reply; the limit of one reply then starts again. */
  endReply(): void {
    this.replies++;
    this.replyStart = this.consumedBefore + this.at;
  }

  /** Called once instead of `endReply` after several replies that were read from one chunk. */
  endReplies(count: number): void {
    if (count === 0) return;
    this.replies += count;
    this.replyStart = this.consumedBefore + this.at;
  }

  /**
   * Starts reading an attribute or push message, which may precede any reply and is dropped. Returns false if there is
   * none.
   */
  startsPushed(): boolean {
    const type = this.buffer[this.at];
    if (type !== 0x7c && type !== 0x3e) return false;
    this.pushed = this.newPushed();
    return true;
  }

  /**
   * Finds the CRLF that ends the line at `from` and stores the index of its CR in `lineEnd`; false = it has not arrived
   * yet.
   */
  findLineEnd(from: number): boolean {
    const { buffer, end } = this;
    let i = from;
    while (i < end && buffer[i] !== CR) i++;
    if (i - from > this.limits.lineBytes) this.fail('A line of the reply is too long.');
    if (i + 1 >= end) {
      this.needed = i + 2;
      return false;
    }
    if (buffer[i + 1] !== LF) this.fail('A line of the reply does not end in CRLF.');
    this.lineEnd = i;
    return true;
  }

  /** Parses the integer in `buffer[from, lineEnd)`. Beyond 2^53 the result is the nearest double. */
  parseInteger(from: number): number {
    const { buffer, lineEnd } = this;
    let i = from;
    const negative = buffer[i] === 45;
    if (negative || buffer[i] === 43) i++;
    if (i >= lineEnd || lineEnd - i > 20) this.fail('A number in the reply is malformed.');
    let value = 0;
    for (; i < lineEnd; i++) {
      const digit = buffer[i]! - 48;
      if (digit < 0 || digit > 9) this.fail('A number in the reply is malformed.');
      value = value * 10 + digit;
    }
    return negative ? -value : value;
  }

  /** Parses a length announced by the server and checks it before anything is reserved for it. -1 = nil. */
  parseSize(from: number, limit: number): number {
    const size = this.parseInteger(from);
    if (size < -1) this.fail('A length in the reply is negative.');
    if (size > limit) {
      // Too many bytes may be a real large value; too many elements (or bytes where a word is expected) may not.
      if (limit === this.limits.replyBytes) this.failTooLarge(size);
      this.fail(`The reply announces ${size} where at most ${limit} can be.`);
    }
    return size;
  }

  /**
   * Returns whether `[from, from + size)` and its CRLF have arrived. Checks the limit of the reply before waiting for
   * more.
   */
  hasBody(from: number, size: number): boolean {
    if (this.consumedBefore + from + size - this.replyStart > this.limits.replyBytes) this.failTooLarge(size);
    const after = from + size;
    if (after + 2 > this.end) {
      this.needed = after + 2;
      return false;
    }
    if (this.buffer[after] !== CR || this.buffer[after + 1] !== LF)
      this.fail('A string of the reply does not end in CRLF.');
    return true;
  }

  failOnType(): never {
    this.fail(`The reply begins with byte 0x${(this.buffer[this.at] ?? 0).toString(16).padStart(2, '0')}.`);
  }

  failTooLarge(size: number): never {
    throw new ReplyTooLarge(size, this.limits.replyBytes);
  }

  fail(message: string): never {
    throw new AppError('redis_protocol', message);
  }

  /** Checks by the first byte received whether this is Redis at all. */
  private checkFirstByte(data: Buffer): void {
    this.hasReceived = true;
    const first = data[0]!;
    if ('+-:$*_#,(!=%~>|'.includes(String.fromCharCode(first))) return;
    // A TLS alert begins with this byte.
    if (first === 0x15) throw new AppError('redis_tls', 'The server expects TLS, and this connection does not use it.');
    throw new AppError('redis_not_redis', 'Something other than Redis answered at this address.', {
      banner: data
        .toString('latin1', 0, 60)
        .replace(/[^\x20-\x7e]+/g, ' ')
        .trim(),
    });
  }
}

const EMPTY = Buffer.alloc(0);
/** Replaces finished expectations in the queue, so that they can be freed. */
const FINISHED: RespExpectation = { done: true, read: () => true };
