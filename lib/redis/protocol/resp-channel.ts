import type { Socket } from 'node:net';
import { AppError } from '@/lib/model/errors';
import { type Reply, RespAnyReply } from './any-reply';
import { commandBytes, writeCommand } from './encode-command';
import { RESP_LIMITS, type RespExpectation, type RespLimits, RespReader } from './resp-reader';

export interface ChannelTimeouts {
  /** For each reply, from the end of the one before it (or from the write, when none was awaited). */
  replyMs: number;
  /** A channel that waits for its turn says PING this often, so that `timeout` on the server does not end it. */
  keepAliveMs?: number;
}

/**
 * After so much time for reading replies the rest of the process gets its turn: what has arrived of a long reply is
 * otherwise read without a pause.
 */
const READ_MS = 5;

/**
 * A pipelined RESP connection over a socket that someone else connected. What is queued is written in one piece by
 * `flush()`; replies go to the expectations in order. It never sends anything twice, never reconnects, and after the
 * first failure (timeout, protocol error, reset, abort) it is dead: all who wait get the same error.
 */
export class RespChannel {
  readonly counters = { commands: 0, bytesSent: 0, bytesReceived: 0 };
  /** CLIENT NO-TOUCH is on: reading a value leaves its idle time alone. */
  noTouch = false;
  protocol: 2 | 3 = 2;
  private readonly reader: RespReader;
  private readonly waiters = new Map<RespExpectation, { resolve: () => void; reject: (error: unknown) => void }>();
  private readonly ticker: NodeJS.Timeout;
  private readonly pool: Buffer[] = [];
  private out: Buffer | null = null;
  private outEnd = 0;
  private flushing = false;
  private failure: unknown = null;
  private progressAt = performance.now();
  private tickDue: number;
  private keptAliveAt = performance.now();
  private readMs = 0;

  constructor(
    private readonly socket: Socket,
    private readonly timeouts: ChannelTimeouts,
    limits: RespLimits = RESP_LIMITS,
  ) {
    this.reader = new RespReader(() => new RespAnyReply(true), limits);
    socket.setNoDelay(true);
    socket.setKeepAlive(true, 15_000);
    socket.on('data', this.onData);
    socket.on('error', this.onError);
    socket.on('close', this.onClose);
    const everyMs = Math.max(5, Math.min(250, timeouts.replyMs / 4));
    this.tickDue = performance.now() + everyMs;
    this.ticker = setInterval(() => this.tick(everyMs), everyMs);
    if (socket.destroyed) this.fail(new AppError('redis_unreachable', 'The connection was closed.'));
  }

  get failed(): unknown {
    return this.failure;
  }

  /** Room for `bytes` in the next write; the caller fills `[at, at + bytes)` and says how far with `wrote`. */
  reserve(bytes: number): { buffer: Buffer; at: number } {
    const needed = this.outEnd + bytes;
    if (this.out === null || this.out.length < needed) {
      const larger = this.take(Math.max(needed, 32 * 1024));
      this.out?.copy(larger, 0, 0, this.outEnd);
      this.out = larger;
    }
    return { buffer: this.out, at: this.outEnd };
  }

  wrote(end: number, commands: number): void {
    this.outEnd = end;
    this.counters.commands += commands;
  }

  /** Who takes the replies to what was just reserved. */
  expect<T extends RespExpectation>(expectation: T): T {
    if (this.reader.outstanding === 0) this.progressAt = performance.now();
    this.reader.expect(expectation);
    return expectation;
  }

  /** Queues one command for the next flush. */
  queue<T extends RespExpectation>(args: readonly (string | Buffer)[], expectation: T): T {
    const { buffer, at } = this.reserve(commandBytes(args));
    this.wrote(writeCommand(args, buffer, at), 1);
    return this.expect(expectation);
  }

  /** Everything queued goes out as one write. */
  flush(): void {
    const { out, outEnd } = this;
    if (out === null || outEnd === 0) return;
    this.out = null;
    this.outEnd = 0;
    if (this.failure !== null) return;
    this.counters.bytesSent += outEnd;
    this.socket.write(out.subarray(0, outEnd), () => {
      if (this.pool.length < 4 && out.length <= 4 * 1024 * 1024) this.pool.push(out);
    });
  }

  /** Resolves when the expectation is whole; rejects with the failure of the channel. One waiter per expectation. */
  wait(expectation: RespExpectation): Promise<void> {
    if (expectation.done) return Promise.resolve();
    if (this.failure !== null) return Promise.reject(this.failure);
    return new Promise((resolve, reject) => this.waiters.set(expectation, { resolve, reject }));
  }

  /** A single command, for the handshake, tests and odd questions. Error replies are values. */
  async call(args: readonly (string | Buffer)[]): Promise<Reply> {
    const reply = this.queue(args, new RespAnyReply());
    this.flushSoon();
    await this.wait(reply);
    return reply.value;
  }

  /** Calls that are made side by side leave in one write. */
  private flushSoon(): void {
    if (this.flushing) return;
    this.flushing = true;
    process.nextTick(() => {
      this.flushing = false;
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
    // Only whole replies and names read past count as progress: one byte a second of others is silence.
    const now = performance.now();
    if (this.reader.replies + this.reader.skipped !== before) this.progressAt = now;
    this.readMs += now - began;
    if (this.readMs > READ_MS) this.letOthersRun();
  };

  private letOthersRun(): void {
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

  private tick(everyMs: number): void {
    const now = performance.now();
    // When this process itself stood still (suspended, a long task), the server is not to blame for that time.
    const stalled = now - this.tickDue;
    this.tickDue = now + everyMs;
    if (stalled > everyMs) this.progressAt += stalled;
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

  private take(bytes: number): Buffer {
    const index = this.pool.findIndex((buffer) => buffer.length >= bytes);
    if (index >= 0) return this.pool.splice(index, 1)[0]!;
    return Buffer.allocUnsafeSlow(2 ** Math.ceil(Math.log2(bytes)));
  }
}
