import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Certificates } from './tls';

/** A TCP server that sends scripted replies and records the connections and everything it receives. */
export interface RogueServer {
  host: string;
  port: number;
  address: string;
  /** Connections accepted so far. */
  connections: number;
  /** Number of connections that are open now. */
  open: () => number;
  /** Everything received, over all connections. */
  received: () => Buffer;
  /** Complete commands received (RESP arrays; inline commands split at spaces). */
  commands: () => string[][];
  stop(): Promise<void>;
}

/**
 * Called for each complete command, whose first word is in capitals. The result is written unchanged; null = no reply.
 */
export type RogueHandler = (
  command: string[],
  socket: Socket,
  nth: number,
) => string | Buffer | null | undefined | Promise<string | Buffer | null | undefined>;

/** Parses RESP arrays of bulk strings; returns the commands and the unparsed rest. */
function takeCommands(buffer: Buffer): { commands: string[][]; rest: Buffer } {
  const commands: string[][] = [];
  let at = 0;
  const line = (from: number) => {
    const end = buffer.indexOf('\r\n', from);
    return end < 0 ? null : { text: buffer.toString('latin1', from, end), next: end + 2 };
  };
  for (;;) {
    const head = line(at);
    if (!head) break;
    if (!head.text.startsWith('*')) {
      commands.push(head.text.split(' ').filter(Boolean));
      at = head.next;
      continue;
    }
    const parts: string[] = [];
    let next: number | null = head.next;
    for (let left = Number(head.text.slice(1)); left > 0 && next !== null; left--) {
      const size = line(next);
      const end: number = size ? size.next + Number(size.text.slice(1)) : Number.POSITIVE_INFINITY;
      if (!size || buffer.length < end + 2) {
        next = null;
        break;
      }
      parts.push(buffer.toString('latin1', size.next, end));
      next = end + 2;
    }
    if (next === null) break;
    commands.push(parts);
    at = next;
  }
  return { commands, rest: buffer.subarray(at) };
}

export async function startRogue(
  handler: RogueHandler = () => null,
  options: {
    port?: number;
    tls?: Certificates;
    onConnection?: (socket: Socket) => void;
    onData?: (data: Buffer, socket: Socket) => void;
  } = {},
): Promise<RogueServer> {
  const chunks: Buffer[] = [];
  const commands: string[][] = [];
  const sockets = new Set<Socket>();
  const accept = (socket: Socket) => {
    rogue.connections++;
    socket.setNoDelay(true);
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    let rest: Buffer = Buffer.alloc(0);
    let turn: Promise<unknown> = Promise.resolve();
    socket.on('data', (data) => {
      chunks.push(data);
      options.onData?.(data, socket);
      const taken = takeCommands(rest.length ? Buffer.concat([rest, data]) : data);
      rest = taken.rest;
      for (const [name = '', ...args] of taken.commands) {
        const command = [name.toUpperCase(), ...args];
        commands.push(command);
        const nth = commands.length;
        // Handlers run one after the other, so that one that waits cannot reply out of order.
        turn = turn.then(async () => {
          const reply = await handler(command, socket, nth);
          if (reply !== null && reply !== undefined && !socket.destroyed) socket.write(reply);
        });
      }
    });
    options.onConnection?.(socket);
  };
  const server: Server = options.tls
    ? createTlsServer({ key: options.tls.key, cert: options.tls.cert }, accept)
    : createServer(accept);
  server.on('tlsClientError', () => undefined);
  const port = await new Promise<number>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
  });
  const rogue: RogueServer = {
    host: '127.0.0.1',
    port,
    address: `127.0.0.1:${port}`,
    connections: 0,
    open: () => sockets.size,
    received: () => Buffer.concat(chunks),
    commands: () => commands,
    stop: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
  return rogue;
}

export const bulk = (text: string | null) =>
  text === null ? '$-1\r\n' : `$${Buffer.byteLength(text, 'latin1')}\r\n${text}\r\n`;
export const array = (items: string[]) => `*${items.length}\r\n${items.join('')}`;
