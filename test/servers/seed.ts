import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import calculateSlot from 'cluster-key-slot';
import { Cluster, type Redis } from 'ioredis';

/**
 * Fast seeding: commands are written to a separate socket without waiting for each reply (as `redis-cli --pipe` does),
 * and the reply to a final ECHO shows that all were processed. An error reply makes the seeding fail.
 */
export type SeedCommand = readonly (string | Buffer)[];

function encode(command: SeedCommand): Buffer {
  const parts: Buffer[] = [Buffer.from(`*${command.length}\r\n`)];
  for (const part of command) {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part;
    parts.push(Buffer.from(`$${bytes.length}\r\n`), bytes, Buffer.from('\r\n'));
  }
  return Buffer.concat(parts);
}

function encodeText(command: readonly string[]): string {
  let text = `*${command.length}\r\n`;
  for (const part of command) text += `$${Buffer.byteLength(part)}\r\n${part}\r\n`;
  return text;
}

function open(client: Redis): Promise<Socket> {
  const { host = '127.0.0.1', port = 6379, tls } = client.options;
  return new Promise((resolve, reject) => {
    const socket: Socket = tls
      ? connectTls({ ...tls, host, port }, () => resolve(socket))
      : connectTcp({ host, port }, () => resolve(socket));
    socket.once('error', reject);
  });
}

/** Sends the commands to the server of `client` (same address, password and database). */
export async function pour(client: Redis, commands: Iterable<SeedCommand>): Promise<number> {
  const socket = await open(client);
  const marker = `poured-${Math.random().toString(36).slice(2)}`;
  let failure: Error | undefined;
  let tail = '\n';
  const finished = new Promise<void>((resolve, reject) => {
    socket.on('data', (data) => {
      const text = tail + data.toString('latin1');
      const bad = /\n-([^\r]*)\r/.exec(text);
      if (bad && !failure) failure = new Error(`Seeding failed: ${bad[1]}`);
      if (text.includes(marker)) resolve();
      tail = text.slice(-256);
    });
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('Seeding failed: the server closed the connection')));
  });
  finished.catch(() => undefined);
  const { username, password, db } = client.options;
  if (password) socket.write(encode(username ? ['AUTH', username, password] : ['AUTH', password]));
  if (db) socket.write(encode(['SELECT', String(db)]));
  let count = 0;
  let text = '';
  const flush = async (chunk: string | Buffer) => {
    if (!socket.write(chunk)) {
      await new Promise<void>((resolve) => {
        const go = () => {
          socket.off('drain', go).off('close', go);
          resolve();
        };
        socket.once('drain', go).once('close', go);
      });
    }
    if (failure) throw failure;
  };
  try {
    for (const command of commands) {
      count++;
      if (command.every((part) => typeof part === 'string')) {
        text += encodeText(command);
      } else {
        if (text) await flush(text);
        text = '';
        await flush(encode(command));
      }
      if (text.length > 65_536) {
        await flush(text);
        text = '';
      }
    }
    await flush(text + encodeText(['ECHO', marker]));
    await finished;
    if (failure) throw failure;
    return count;
  } finally {
    socket.removeAllListeners('close');
    socket.destroy();
  }
}

const USERS = ['profile', 'settings', 'cart', 'history'];

/** Returns the one or two commands that create key number `i`. Deterministic. */
export function mixedKey(i: number): { key: string; commands: string[][] } {
  const id = String((i * 2_654_435_761) % 4_294_967_296);
  const some = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}${(i + n) % 97}`);
  const kind = i % 20;
  if (kind < 9) {
    const key = `user:${id}:${USERS[i % 4]}:${i}`;
    const value = 'v'.repeat(8 + (i % 90));
    return {
      key,
      commands: [i % 3 === 0 ? ['SET', key, value] : ['SET', key, value, 'EX', String(600 + (i % 86_400))]],
    };
  }
  if (kind < 13) {
    const key = `session:${id}:${i}`;
    const fields = some('f', 3 + (i % 6)).flatMap((field) => [field, `value-${i}`]);
    return {
      key,
      commands: [
        ['HSET', key, ...fields],
        ['PEXPIRE', key, String(1_800_000 + (i % 3_600_000))],
      ],
    };
  }
  if (kind < 15) {
    const key = `cache:product:${id}:${i}`;
    return { key, commands: [['SET', key, '{"price":1}'.repeat(2 + (i % 20)), 'EX', String(300 + (i % 300))]] };
  }
  if (kind === 15) {
    const key = `rank:{${i % 50}}:${i}`;
    return { key, commands: [['ZADD', key, ...some('m', 1 + (i % 8)).flatMap((member, n) => [String(n), member])]] };
  }
  if (kind === 16) return { key: `tags:${i}`, commands: [['SADD', `tags:${i}`, ...some('t', 1 + (i % 10))]] };
  if (kind === 17)
    return { key: `ids:${i}`, commands: [['SADD', `ids:${i}`, String(i), String(i + 1), String(i + 2)]] };
  if (kind === 18)
    return { key: `queue:jobs:${i}`, commands: [['RPUSH', `queue:jobs:${i}`, ...some('job', 1 + (i % 12))]] };
  if (i % 200 === 19)
    return { key: `events:${i}`, commands: [['XADD', `events:${i}`, '*', 'a', String(i), 'b', 'two']] };
  return { key: `counter:${i}`, commands: [['SET', `counter:${i}`, String(i)]] };
}

function* mixedCommands(from: number, to: number): Generator<string[]> {
  for (let i = from; i < to; i++) yield* mixedKey(i).commands;
}

/** Seeds exactly `n` mixed keys (several prefixes, all types, about two thirds with an expiry ≥ 5 minutes). */
export async function seedMixed(client: Redis | Cluster, n: number, from = 0): Promise<number> {
  if (!(client instanceof Cluster)) {
    await pour(client, mixedCommands(from, from + n));
    return n;
  }
  if (client.status !== 'ready') await new Promise<void>((resolve) => client.once('ready', () => resolve()));
  const shares = new Map<string, string[][]>();
  for (let i = from; i < from + n; i++) {
    const { key, commands } = mixedKey(i);
    const owner = client.slots[calculateSlot(key)]?.[0] ?? '';
    const share = shares.get(owner);
    if (share) share.push(...commands);
    else shares.set(owner, commands.slice());
  }
  const masters = new Map(client.nodes('master').map((node) => [`${node.options.host}:${node.options.port}`, node]));
  for (const [owner, commands] of shares) {
    const node = masters.get(owner);
    if (!node) throw new Error(`Seeding failed: no master at ${owner}`);
    await pour(node, commands);
  }
  return n;
}
