import { connect, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RedisServer, startRedis } from '@/test/servers/redis';
import { inputFor, readAll, socketOnly } from '@/test/servers/scan-session';
import { readServerProcess } from './scan-partition';

let server: RedisServer;
beforeAll(async () => {
  server = await startRedis();
});
afterAll(() => server.stop());

/**
 * A proxy that makes the server's clock appear ahead: it changes the reported time on the way, with the same number of
 * digits.
 */
async function ahead(ms: number): Promise<{ host: string; port: number; stop(): void }> {
  const proxy: Server = createServer((client) => {
    const upstream = connect(server.port, server.host);
    client.pipe(upstream);
    upstream.on('data', (data) => {
      const text = data.toString('latin1');
      const reported = text.replace(
        /server_time_usec:(\d{16})/,
        (_, usec) => `server_time_usec:${BigInt(usec) + BigInt(ms) * 1000n}`,
      );
      client.write(Buffer.from(reported, 'latin1'));
    });
    client.on('error', () => undefined).on('close', () => upstream.destroy());
    upstream.on('error', () => undefined).on('close', () => client.destroy());
  });
  await new Promise<void>((ready) => proxy.listen(0, '127.0.0.1', ready));
  const { port } = proxy.address() as { port: number };
  return { host: '127.0.0.1', port, stop: () => proxy.close() };
}

it.each([
  ['the same clock', 0, 'pexpiretime'],
  ['a little apart', 300, 'pexpiretime'],
  ['five minutes ahead', 300_000, 'pttl'],
  ['five minutes behind', -300_000, 'pttl'],
])('what is left to live does not depend on the clock of the server: %s', async (_what, ms, command) => {
  const client = server.client();
  await client.call('FLUSHALL');
  await client.call('SET', 'a', 'x', 'PX', '100000');
  await client.call('SET', 'b', 'x');
  await client.call('CONFIG', 'RESETSTAT');
  const proxy = await ahead(ms);
  try {
    const { keys } = await readAll(inputFor(socketOnly(proxy), proxy));
    const left = [...keys.values()].map(({ name, expireAt }) => [
      String(name),
      expireAt > 0 ? expireAt - Date.now() : null,
    ]);
    expect(Object.fromEntries(left)).toEqual({ a: expect.any(Number), b: null });
    expect(Math.abs(Number(Object.fromEntries(left).a) - 100_000)).toBeLessThan(5000);
    const asked = [...(await client.info('commandstats')).matchAll(/^cmdstat_(pttl|pexpiretime):/gm)].map(
      (found) => found[1],
    );
    expect(asked).toEqual([command]);
  } finally {
    proxy.stop();
  }
});

it('takes a server that does not tell its time for one with ours', async () => {
  for (const reply of [null, new Error('NOPERM'), Buffer.from('# Server\r\nredis_version:5.0.7\r\n')])
    expect(await readServerProcess({ call: async () => reply as never })).toEqual({ runId: null, clockDiffers: false });
});
