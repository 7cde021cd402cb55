import { connect, createServer, type Socket } from 'node:net';

/**
 * A proxy in front of a real server that lies: it can change the reply to a command, and can withhold a command from
 * the server. Everything else passes unchanged.
 */
export interface LyingProxy {
  readonly host: string;
  readonly port: number;
  readonly address: string;
  /** Decides which commands get a false reply; null = no lies. */
  lie: Liar | null;
  /** Number of false replies so far. */
  lies: number;
  /** Number of times each command was sent, by its first words. */
  readonly seen: Map<string, number>;
  stop(): Promise<void>;
}

/**
 * The false reply. `withheld`: the command is not sent to the server. `close`: the connection is closed after the
 * reply. `silent`: nothing is answered any more. `sent`: the server gets this command instead.
 */
export interface Lie {
  reply?: string | Buffer | ((truth: Buffer) => string | Buffer);
  withheld?: boolean;
  close?: boolean;
  silent?: boolean;
  sent?: readonly string[];
}
/** `words` are the first two words of the command in capitals, `command` is the complete command. */
export type Liar = (words: [string, string], command: readonly string[]) => Lie | null;

interface Asked {
  lie: Lie | null;
  /** The reply that is sent without asking the server; null = the server is asked. */
  instead: Buffer | null;
}

/** Returns where the RESP value that begins at `at` ends; null = it has not arrived completely. */
function findEnd(data: Buffer, at: number): number | null {
  const line = data.indexOf('\r\n', at);
  if (line < 0) return null;
  const next = line + 2;
  const type = String.fromCharCode(data[at] ?? 0);
  const size = Number(data.toString('latin1', at + 1, line));
  if ('$=!'.includes(type)) return size < 0 ? next : next + size + 2 <= data.length ? next + size + 2 : null;
  if (!'*~>%|'.includes(type) || size < 0) return next;
  let end: number | null = next;
  for (let left = '%|'.includes(type) ? size * 2 : size; left > 0 && end !== null; left--)
    end = end < data.length ? findEnd(data, end) : null;
  return type === '|' && end !== null ? (end < data.length ? findEnd(data, end) : null) : end;
}

/** Returns the end and the words of the command at `at`. */
function commandAt(data: Buffer, at: number): { end: number; words: string[] } | null {
  const end = data[at] === 0x2a ? findEnd(data, at) : data.indexOf('\r\n', at) + 2 || null;
  if (end === null || end < 2) return null;
  if (data[at] !== 0x2a) return { end, words: data.toString('latin1', at, end - 2).split(' ') };
  const words: string[] = [];
  for (let from = data.indexOf('\r\n', at) + 2; from < end; ) {
    const line = data.indexOf('\r\n', from);
    const size = Number(data.toString('latin1', from + 1, line));
    words.push(data.toString('latin1', line + 2, line + 2 + size));
    from = line + 2 + size + 2;
  }
  return { end, words };
}

/** Each word holds the bytes as they were read, one character per byte. */
const toCommand = (words: readonly string[]) =>
  Buffer.from(`*${words.length}\r\n${words.map((word) => `$${word.length}\r\n${word}\r\n`).join('')}`, 'latin1');

const toBytes = (reply: string | Buffer) => (Buffer.isBuffer(reply) ? reply : Buffer.from(reply, 'latin1'));

export async function startLyingProxy(target: number): Promise<LyingProxy> {
  const open = new Set<Socket>();
  const server = createServer((client) => {
    open.add(client);
    client.setNoDelay(true);
    const behind = connect(target, '127.0.0.1');
    behind.setNoDelay(true);
    const asked: Asked[] = [];
    let sent: Buffer = Buffer.alloc(0);
    let answered: Buffer = Buffer.alloc(0);
    let silent = false;
    const tell = (lie: Lie, truth: Buffer) => {
      proxy.lies++;
      silent ||= lie.silent === true;
      if (!silent) {
        const { reply = truth } = lie;
        client.write(toBytes(typeof reply === 'function' ? reply(truth) : reply));
      }
      if (lie.close) client.end();
    };
    const answer = () => {
      for (;;) {
        const [next] = asked;
        if (next?.instead) {
          asked.shift();
          tell(next.lie ?? {}, next.instead);
          continue;
        }
        const end = answered.length === 0 ? null : findEnd(answered, 0);
        if (end === null) return;
        const truth = Buffer.from(answered.subarray(0, end));
        answered = answered.subarray(end);
        // A push message of the server (`>`) is not the reply to any command.
        const out = truth[0] === 0x3e ? undefined : asked.shift();
        if (out?.lie) tell(out.lie, truth);
        else if (!silent) client.write(truth);
      }
    };
    client.on('data', (piece: Buffer) => {
      sent = sent.length > 0 ? Buffer.concat([sent, piece]) : piece;
      for (let one = commandAt(sent, 0); one; one = sent.length > 0 ? commandAt(sent, 0) : null) {
        const whole = Buffer.from(sent.subarray(0, one.end));
        sent = sent.subarray(one.end);
        const words: [string, string] = [(one.words[0] ?? '').toUpperCase(), (one.words[1] ?? '').toUpperCase()];
        proxy.seen.set(words[0], (proxy.seen.get(words[0]) ?? 0) + 1);
        const lie = proxy.lie?.(words, one.words) ?? null;
        const withheld = lie?.withheld === true;
        asked.push({ lie, instead: withheld ? Buffer.alloc(0) : null });
        if (!withheld) behind.write(lie?.sent ? toCommand(lie.sent) : whole);
      }
      answer();
    });
    behind.on('data', (piece: Buffer) => {
      answered = answered.length > 0 ? Buffer.concat([answered, piece]) : piece;
      answer();
    });
    client.on('close', () => {
      open.delete(client);
      behind.destroy();
    });
    behind.on('close', () => client.destroy());
    client.on('error', () => behind.destroy());
    behind.on('error', () => client.destroy());
  });
  const port = await new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
  );
  const proxy: LyingProxy = {
    host: '127.0.0.1',
    port,
    address: `127.0.0.1:${port}`,
    lie: null,
    lies: 0,
    seen: new Map(),
    stop: () =>
      new Promise((resolve) => {
        for (const socket of open) socket.destroy();
        server.close(() => resolve());
      }),
  };
  return proxy;
}
