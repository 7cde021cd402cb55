import { connect, createServer, type Socket } from 'node:net';
import type { Redis } from 'ioredis';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sleep } from '../servers/process';
import { type RedisServer, startRedis } from '../servers/redis';
import { temporaryData } from '../temporary-data';
import { splitCommands } from './faults/fault-proxy';
import { openStand, type Stand } from './stand';

/**
 * Fields with an expiry of their own (servers from 7.4 on) expire unnoticed: before they are copied, and between the
 * copy and the undo. The proxy adds the two commands to any server; the times are stored in a separate hash.
 */
const ASK = `local r = {} for i = 1, #ARGV do local t = redis.call('HGET', '~times', ARGV[i])
  if redis.call('HEXISTS', KEYS[1], ARGV[i]) == 0 then r[i] = -2 else r[i] = t and tonumber(t) or -1 end end return r`;
const SET = `if tonumber(ARGV[1]) > tonumber(ARGV[3]) then return {1} end
  redis.call('HDEL', KEYS[1], ARGV[2]) return {2}`;

const encode = (args: (string | Buffer)[]) =>
  Buffer.concat([
    Buffer.from(`*${args.length}\r\n`),
    ...args.flatMap((arg) => [Buffer.from(`$${Buffer.byteLength(arg)}\r\n`), Buffer.from(arg), Buffer.from('\r\n')]),
  ]);
function decode(bytes: Buffer): Buffer[] {
  const args: Buffer[] = [];
  let at = bytes.indexOf('\r\n') + 2;
  while (at < bytes.length) {
    const line = bytes.indexOf('\r\n', at);
    const size = Number(bytes.toString('latin1', at + 1, line));
    args.push(bytes.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
  return args;
}

async function withFieldExpiries(port: number) {
  const options = { denied: false };
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect({ port, host: '127.0.0.1' });
    let rest: Buffer = Buffer.alloc(0);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        client.destroy();
        upstream.destroy();
      });
    }
    client.on('data', (data) => {
      const split = splitCommands(Buffer.concat([rest, data]));
      rest = split.rest;
      for (const { word, bytes } of split.commands) {
        const [, key = '', at = '', , , ...fields] = word.startsWith('HPEXPIRE') ? decode(bytes) : [];
        if (word === 'HPEXPIRETIME') upstream.write(encode(['EVAL', ASK, '1', key, ...decode(bytes).slice(4)]));
        else if (word === 'HPEXPIREAT' && options.denied) client.write('-NOPERM this user has no permissions\r\n');
        else if (word === 'HPEXPIREAT')
          upstream.write(encode(['EVAL', SET, '1', key, at, fields[0] ?? '', String(Date.now())]));
        else upstream.write(bytes);
      }
    });
    upstream.on('data', (data) => client.write(data));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    wishes: options,
    port: typeof address === 'object' && address ? address.port : 0,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

let data: ReturnType<typeof temporaryData>;
let redis: RedisServer;
let client: Redis;
let line: Awaited<ReturnType<typeof withFieldExpiries>>;
let stand: Stand;
beforeEach(async () => {
  data = temporaryData();
  redis = await startRedis({ args: ['--enable-debug-command', 'yes'] });
  client = redis.client();
  line = await withFieldExpiries(redis.port);
  stand = await openStand({ ...redis, port: line.port } as RedisServer);
});
afterEach(async () => {
  await stand.close();
  await line.stop();
  await redis.stop();
  await data.remove();
});

it.each([
  ['small', 60, 500],
  ['listpack by itself', 60, 5_000_000],
  ['large', 700, 5_000_000],
])('%s: fields whose time has passed stay away, the others come back', async (_, fields, bytes) => {
  await client.hset('app:hash', Object.fromEntries(Array.from({ length: fields }, (_, i) => [`f${i}`, `v${i}`])));
  const passed = Date.now() + 1500;
  for (let i = 0; i < 10; i++) await client.hset('~times', `f${i}`, passed);
  for (let i = 10; i < 20; i++) await client.hset('~times', `f${i}`, Date.now() + 3_600_000);
  const id = await stand.plan([{ name: 'app:hash', type: 'hash', length: fields, bytes }]);
  await stand.until(await stand.start(id), ['succeeded']);
  expect((await stand.items(id))[0]).toMatchObject({ state: 'done' });
  await sleep(Math.max(0, passed - Date.now()) + 20);
  await stand.until(await stand.start(id, 'undo'), ['succeeded']);
  expect((await stand.items(id))[0]).toMatchObject({ state: 'undone', reason: null });
  expect(await client.hlen('app:hash')).toBe(fields - 10);
  expect(await client.hget('app:hash', 'f12')).toBe('v12');
  expect(await client.hexists('app:hash', 'f2')).toBe(0);
});

it('none comes back without the expiry it had', async () => {
  await client.hset('app:hash', { a: 1, b: 2 });
  await client.hset('~times', 'a', Date.now() + 3_600_000);
  const id = await stand.plan([{ name: 'app:hash', type: 'hash', length: 2, bytes: 500 }]);
  await stand.until(await stand.start(id), ['succeeded']);
  line.wishes.denied = true;
  await stand.until(await stand.start(id, 'undo'), ['failed']);
  expect((await stand.items(id))[0]).toMatchObject({ reason: { code: 'denied' } });
  expect(await client.exists('app:hash')).toBe(0);
  line.wishes.denied = false;
  await stand.until(await stand.start(id, 'undo'), ['succeeded']);
  expect((await stand.items(id))[0]).toMatchObject({ state: 'undone' });
});
