import { connect, createServer, type Socket } from 'node:net';

/**
 * A proxy to a Redis that recognizes single commands and fails at a chosen one: the `after`+1st command that starts
 * with `word`, on whichever connection it comes.
 */
export interface FaultProxy {
  port: number;
  /** Resolves when the fault has occurred. */
  strike(fault: Fault): Promise<Held>;
  stop(): Promise<void>;
}
export interface Fault {
  word: string;
  after?: number;
  /**
   * swallow: carried out, no reply, the connection is cut · lose: never arrives, the connection is cut · mute: carried
   * out, and the connection stays open without a reply · blackhole: nothing passes in either direction · delay: arrives
   * `ms` late · hold: arrives when released · late: arrives when released, even long after its sender has gone.
   */
  act: 'swallow' | 'lose' | 'mute' | 'blackhole' | 'delay' | 'hold' | 'late';
  ms?: number;
}
export interface Held {
  release(): void;
  /** Releases the command, and resolves when the server has answered it, so that its effects are complete. */
  arrive(): Promise<void>;
  /** The held command never arrives. */
  drop(): void;
  /** Cuts the connection of the sender. */
  cut(): void;
}

interface Command {
  word: string;
  bytes: Buffer;
}

/** Returns the complete commands at the start of `data`, and the rest. */
export function splitCommands(data: Buffer): { commands: Command[]; rest: Buffer } {
  const commands: Command[] = [];
  let at = 0;
  for (;;) {
    const end = endOfCommand(data, at);
    if (end === null) return { commands, rest: data.subarray(at) };
    const first = data.indexOf('\r\n', data.indexOf('$', at)) + 2;
    const word = data.toString('latin1', first, data.indexOf('\r\n', first)).toUpperCase();
    const bytes = data.subarray(at, end);
    commands.push({ word: word === 'EVAL' ? (readBy(bytes) ?? word) : word, bytes });
    at = end;
  }
}

/** A script that reads elements counts as the command that it calls, or that it gets as an argument. */
function readBy(script: Buffer): string | null {
  const text = script.toString('latin1');
  const found = /call\('(HSCAN|SSCAN|ZRANGE|LINDEX|XRANGE)'|\r\n(HGETALL|SMEMBERS|ZRANGE|HDEL|SREM|ZREM)\r\n/.exec(
    text,
  );
  const read = found?.[1] ?? found?.[2] ?? null;
  return read === 'LINDEX' ? 'LRANGE' : read;
}

function endOfCommand(data: Buffer, from: number): number | null {
  const line = data.indexOf('\r\n', from);
  if (line < 0) return null;
  if (data[from] !== 42) throw new Error(`Not a command: ${data.toString('latin1', from, line)}`);
  let at = line + 2;
  for (let left = Number(data.toString('latin1', from + 1, line)); left > 0; left--) {
    const size = data.indexOf('\r\n', at);
    if (size < 0) return null;
    at = size + 2 + Number(data.toString('latin1', at + 1, size)) + 2;
    if (at > data.length) return null;
  }
  return at;
}

export async function startFaultProxy(target: number): Promise<FaultProxy> {
  let armed: { fault: Fault; left: number; struck: (held: Held) => void } | null = null;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect({ port: target, host: '127.0.0.1' });
    let silent = false;
    let swallow = false;
    let outlives = false;
    let waiting = Promise.resolve();
    let rest: Buffer = Buffer.alloc(0);
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        open.delete(socket);
        client.destroy();
        if (!outlives) upstream.destroy();
      });
    }
    /** Everything that was sent after a lost command is lost too, although the connection takes a moment to close. */
    const cut = () => {
      silent = true;
      client.destroy();
    };
    const meet = async (commands: Command[]): Promise<void> => {
      let passing: Buffer[] = [];
      const pass = () => {
        if (passing.length > 0 && !silent) upstream.write(Buffer.concat(passing));
        passing = [];
      };
      for (const { word, bytes } of commands) {
        if (silent || !armed || armed.fault.word !== word || armed.left-- > 0) {
          passing.push(bytes);
          continue;
        }
        pass();
        const { fault, struck } = armed;
        armed = null;
        await suffer(fault, struck, bytes);
      }
      pass();
    };
    const suffer = (fault: Fault, struck: (held: Held) => void, bytes: Buffer): void | Promise<void> => {
      outlives = fault.act === 'late';
      if (fault.act === 'hold' || fault.act === 'late')
        return new Promise((resolve) => {
          const release = () => {
            upstream.write(bytes);
            resolve();
          };
          struck({
            release,
            arrive() {
              const answered = new Promise<void>((done) => {
                upstream.once('data', () => done());
                upstream.once('close', () => done());
              });
              release();
              return answered;
            },
            drop() {
              cut();
              resolve();
            },
            cut: () => void client.destroy(),
          });
        });
      struck({ release() {}, async arrive() {}, drop() {}, cut() {} });
      if (fault.act === 'lose') return cut();
      if (fault.act === 'delay')
        return new Promise((resolve) =>
          setTimeout(() => {
            upstream.write(bytes);
            resolve();
          }, fault.ms),
        );
      if (fault.act === 'blackhole') silent = true;
      else {
        if (fault.act === 'mute') silent = true;
        else swallow = true;
        upstream.write(bytes);
      }
    };
    client.on('data', (data) => {
      const { commands, rest: left } = splitCommands(rest.length === 0 ? data : Buffer.concat([rest, data]));
      rest = left;
      waiting = waiting.then(() => meet(commands));
    });
    upstream.on('data', (data) => {
      if (swallow) client.destroy();
      else if (!silent && !client.destroyed) client.write(data);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    strike: (fault) =>
      new Promise((struck) => {
        armed = { fault, left: fault.after ?? 0, struck };
      }),
    async stop() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
