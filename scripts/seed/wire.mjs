import { connect } from 'node:net';

/** Commands are collected up to this size before they are written to the socket. */
const BLOCK_BYTES = 256 * 1024;
/** `room` waits while more commands than this have no reply. */
const MAX_UNANSWERED = 20_000;

/**
 * A minimal client that fills a Redis fast: commands are collected into blocks, and the first error is kept. `push` does
 * not wait; call `room()` now and then, and `drain()` at the end.
 */
export class Wire {
  #socket;
  #block = Buffer.allocUnsafe(BLOCK_BYTES);
  #used = 0;
  #unread = Buffer.alloc(0);
  /** One entry per command without a reply: the callbacks of `command`, or null for `push`. */
  #unanswered = [];
  /** Callers of `room` and `drain`, each with the number of unanswered commands below which it goes on. */
  #waiting = [];
  #error = null;

  static open(port, host = '127.0.0.1') {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host, noDelay: true });
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(new Wire(socket));
      });
    });
  }

  constructor(socket) {
    this.#socket = socket;
    socket.on('data', (chunk) => this.#read(chunk));
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.#fail(new Error('The server closed the connection.')));
  }

  /** Sends a command whose reply is only checked for errors. */
  push(args) {
    this.#unanswered.push(null);
    this.#encode(args);
  }

  /** Sends a command and returns its reply: text for + and :, Buffer for $, array for *. */
  command(...args) {
    const reply = new Promise((resolve, reject) => this.#unanswered.push({ resolve, reject }));
    this.#encode(args);
    this.#flush();
    return reply;
  }

  /** Resolves when more commands may be sent. */
  async room() {
    if (this.#error) throw this.#error;
    if (this.#unanswered.length < MAX_UNANSWERED) return;
    this.#flush();
    await new Promise((resolve, reject) => this.#waiting.push({ below: MAX_UNANSWERED / 2, resolve, reject }));
  }

  /** Resolves when every command is answered; throws the first error of any command. */
  async drain() {
    this.#flush();
    if (this.#unanswered.length > 0) {
      await new Promise((resolve, reject) => this.#waiting.push({ below: 1, resolve, reject }));
    }
    if (this.#error) throw this.#error;
  }

  close() {
    this.#socket.removeAllListeners('close');
    this.#socket.destroy();
  }

  #encode(args) {
    this.#write(`*${args.length}\r\n`);
    for (const arg of args) {
      const body = typeof arg === 'number' ? String(arg) : arg;
      this.#write(`$${Buffer.byteLength(body)}\r\n`);
      this.#write(body);
      this.#write('\r\n');
    }
  }

  #write(part) {
    const bytes = Buffer.byteLength(part);
    if (this.#used + bytes > BLOCK_BYTES) this.#flush();
    if (bytes > BLOCK_BYTES) {
      this.#socket.write(part);
      return;
    }
    if (typeof part === 'string') this.#block.write(part, this.#used);
    else part.copy(this.#block, this.#used);
    this.#used += bytes;
  }

  #flush() {
    if (this.#used === 0) return;
    this.#socket.write(this.#block.subarray(0, this.#used));
    this.#block = Buffer.allocUnsafe(BLOCK_BYTES);
    this.#used = 0;
  }

  #read(chunk) {
    const data = this.#unread.length > 0 ? Buffer.concat([this.#unread, chunk]) : chunk;
    let at = 0;
    for (;;) {
      const reply = parse(data, at);
      if (!reply) break;
      at = reply.next;
      const caller = this.#unanswered.shift();
      if (reply.value instanceof Error) {
        if (caller) caller.reject(reply.value);
        else this.#error ??= reply.value;
      } else caller?.resolve(reply.value);
    }
    this.#unread = data.subarray(at);
    this.#waiting = this.#waiting.filter(({ below, resolve }) => {
      if (this.#unanswered.length >= below) return true;
      resolve();
      return false;
    });
  }

  #fail(error) {
    this.#error ??= error;
    for (const { reject } of this.#waiting) reject(error);
    for (const caller of this.#unanswered) caller?.reject(error);
    this.#waiting = [];
    this.#unanswered = [];
  }
}

/** Parses one RESP2 reply at `at`; null if it has not arrived completely. */
function parse(data, at) {
  const end = data.indexOf('\r\n', at);
  if (end < 0) return null;
  const line = data.toString('latin1', at + 1, end);
  const next = end + 2;
  switch (data[at]) {
    case 0x2b: // +
    case 0x3a: // :
      return { value: line, next };
    case 0x2d: // -
      return { value: new Error(line), next };
    case 0x24: {
      const bytes = Number(line);
      if (bytes < 0) return { value: null, next };
      if (data.length < next + bytes + 2) return null;
      return { value: Buffer.from(data.subarray(next, next + bytes)), next: next + bytes + 2 };
    }
    default: {
      const items = [];
      let item = next;
      for (let left = Number(line); left > 0; left -= 1) {
        const inner = parse(data, item);
        if (!inner) return null;
        items.push(inner.value);
        item = inner.next;
      }
      return { value: items, next: item };
    }
  }
}
