import type { Socket } from 'node:net';
import { AppError } from '@/lib/model/errors';
import { type Reply, RespAnyReply } from './any-reply';
import { measureCommand, writeCommand } from './encode-command';
import { RESP_LIMITS, type RespExpectation, type RespLimits, RespReader } from './resp-reader';

export interface ChannelTimeouts {
  /** Time limit in ms for each reply, from the end of the previous one (or from the write, if none was outstanding). */
  replyMs: number;
  /** An idle channel sends PING this often, in ms, so that `timeout` on the server does not end it. */
  keepAliveMs?: number;
}

/**
 * After this many ms of reading replies the rest of the process gets a turn; otherwise what has arrived of a long reply
 * would be read without a pause.
 */
const READ_MS = 5;
/** Buffers of writes: the smallest size, how many are kept for reuse, and the largest size that is kept. */
const MIN_BUFFER_BYTES = 32 * 1024;
const POOLED_BUFFERS = 4;
const MAX_POOLED_BYTES = 4 * 1024 * 1024;

/**
 * A pipelined RESP connection over a socket that the caller connected. `flush()` writes everything that is queued in
 * one piece; replies go to the expectations in order. It never sends anything twice and never reconnects. After the
 * first failure (timeout, protocol error, reset, abort) it cannot be used any more, and all waiting callers get the
 * same error.
 */
export class RespChannel {
  readonly counters = { commands: 0, bytesSent: 0, bytesReceived: 0 };
  /** Whether CLIENT NO-TOUCH is on, so that reading a value does not change its idle time. */
  noTouch = false;
  protocol: 2 | 3 = 2;
  private readonly reader: RespReader;
  private readonly waiters = new Map<RespExpectation, { resolve: () => void; reject: (error: unknown) => void }>();
  private readonly ticker: NodeJS.Timeout;
  /** Buffers whose bytes have been sent, for reuse. */
  private readonly pool: Buffer[] = [];
  /** The next write: `out[0, outEnd)`. */
  private out: Buffer | null = null;
  private outEnd = 0;
  private isFlushPlanned = false;
  private failure: unknown = null;
  /** When the last reply ended, or the first outstanding one was requested. */
  private progressAt = performance.now();
  /** When `checkProgress` should run next; it runs late if this process was blocked. */
  private tickDue: number;
  private keptAliveAt = performance.now();
  /** How long replies have been read since the rest of the process had a turn. */
  private readMs = 0;

  constructor(
    private readonly socket: Socket,
    private readonly timeouts: ChannelTimeouts,
    limits: RespLimits = RESP_LIMITS,
  ) {
    this.reader = new RespReader(() => new RespAnyReply(true), limits);
    socket.setNoDelay(true);
    // The system's own keep-alive detects a peer that has vanished; `keepAliveMs` is about the server's `timeout`.
    socket.setKeepAlive(true, 15_000);
    socket.on('data', this.onData);
    socket.on('error', this.onError);
    socket.on('close', this.onClose);
    const everyMs = Math.max(5, Math.min(250, timeouts.replyMs / 4));
    this.tickDue = performance.now() + everyMs;
    this.ticker = setInterval(() => this.checkProgress(everyMs), everyMs);
    if (socket.destroyed) this.fail(new AppError('redis_unreachable', 'The connection was closed.'));
  }

  /** Reserves `bytes` in the next write; the caller fills `[at, at + bytes)` and passes the end to `commitWrite`. */
  reserve(bytes: number): { buffer: Buffer; at: number } {
    const needed = this.outEnd + bytes;
    if (this.out === null || this.out.length < needed) {
      const larger = this.takeBuffer(Math.max(needed, MIN_BUFFER_BYTES));
      this.out?.copy(larger, 0, 0, this.outEnd);
      this.out = larger;
    }
    return { buffer: this.out, at: this.outEnd };
  }

  /** Ends what `reserve` began. `end` = the index after the last byte that was written. */
  commitWrite(end: number, commands: number): void {
    this.outEnd = end;
    this.counters.commands += commands;
  }

  /** Adds the expectation that receives the replies to what was just reserved. */
  expect<T extends RespExpectation>(expectation: T): T {
    if (this.reader.outstanding === 0) this.progressAt = performance.now();
    this.reader.expect(expectation);
    return expectation;
  }

  /** Queues one command for the next flush. */
  queue<T extends RespExpectation>(args: readonly (string | Buffer)[], expectation: T): T {
    const { buffer, at } = this.reserve(measureCommand(args));
    this.commitWrite(writeCommand(args, buffer, at), 1);
    return this.expect(expectation);
  }

  /** Sends everything queued as one write. */
  flush(): void {
    const { out, outEnd } = this;
    if (out === null || outEnd === 0) return;
    this.out = null;
    this.outEnd = 0;
    if (this.failure !== null) return;
    this.counters.bytesSent += outEnd;
    this.socket.write(out.subarray(0, outEnd), () => {
      if (this.pool.length < POOLED_BUFFERS && out.length <= MAX_POOLED_BYTES) this.pool.push(out);
    });
  }

  /** Resolves when the expectation is complete; rejects with the failure of the channel. One waiter per expectation. */
  wait(expectation: RespExpectation): Promise<void> {
    if (expectation.done) return Promise.resolve();
    if (this.failure !== null) return Promise.reject(this.failure);
    return new Promise((resolve, reject) => this.waiters.set(expectation, { resolve, reject }));
  }

  /** Sends a single command, for the handshake and rare requests. Error replies are returned as values. */
  async call(args: readonly (string | Buffer)[]): Promise<Reply> {
    const reply = this.queue(args, new RespAnyReply());
    this.flushSoon();
    await this.wait(reply);
    return reply.value;
  }

  /** Sends calls that are made in the same turn in one write. */
  private flushSoon(): void {
    if (this.isFlushPlanned) return;
    this.isFlushPlanned = true;
    process.nextTick(() => {
      this.isFlushPlanned = false;
      this.flush();
    });
  }

  close(): void {
    this.fail(new AppError('redis_unreachable', 'Colonnade closed the connection.'));
  }

  fail(error: unknown): void {
    if (this.failure !== null) return;
    this.failure = error;
    clearInterval(this.ticker);
    this.socket.off('data', this.onData);
    this.socket.destroy();
    for (const { reject } of this.waiters.values()) reject(error);
    this.waiters.clear();
  }

  private readonly onData = (chunk: Buffer) => {
    this.counters.bytesReceived += chunk.length;
    const before = this.reader.replies + this.reader.skipped;
    const began = performance.now();
    try {
      this.reader.push(chunk, this.onDone);
    } catch (error) {
      this.fail(error);
      return;
    }
    // Only complete replies and skipped names count as progress: a server that sends one byte a second counts as
    // silent.
    const now = performance.now();
    if (this.reader.replies + this.reader.skipped !== before) this.progressAt = now;
    this.readMs += now - began;
    if (this.readMs > READ_MS) this.pauseReading();
  };

  private pauseReading(): void {
    this.readMs = 0;
    this.socket.pause();
    setImmediate(() => this.socket.resume());
  }

  private readonly onDone = (expectation: RespExpectation) => {
    const waiter = this.waiters.get(expectation);
    if (waiter === undefined) return;
    this.waiters.delete(expectation);
    waiter.resolve();
  };

  private readonly onError = (error: Error) => {
    this.fail(new AppError('redis_unreachable', `The connection broke: ${error.message}`, {}, { cause: error }));
  };

  private readonly onClose = () => {
    this.fail(new AppError('redis_unreachable', 'The server closed the connection.'));
  };

  private checkProgress(everyMs: number): void {
    const now = performance.now();
    // If this process itself was blocked (suspended, a long task), that time is not counted against the server.
    const lateMs = now - this.tickDue;
    this.tickDue = now + everyMs;
    if (lateMs > everyMs) this.progressAt += lateMs;
    const { keepAliveMs = 20_000 } = this.timeouts;
    if (this.reader.outstanding === 0 && now - Math.max(this.progressAt, this.keptAliveAt) > keepAliveMs) {
      this.keptAliveAt = now;
      this.queue(['PING'], new RespAnyReply());
      this.flush();
    }
    if (this.reader.outstanding > 0 && now - this.progressAt > this.timeouts.replyMs) {
      const { replyMs } = this.timeouts;
      this.fail(new AppError('redis_timeout', 'The server did not finish its reply in time.', { timeoutMs: replyMs }));
    }
  }

  private takeBuffer(bytes: number): Buffer {
    const index = this.pool.findIndex((buffer) => buffer.length >= bytes);
    if (index >= 0) return this.pool.splice(index, 1)[0]!;
    return Buffer.allocUnsafeSlow(2 ** Math.ceil(Math.log2(bytes)));
  }
}
