import { spawn } from 'node:child_process';
import { afterAll, expect, test } from 'vitest';
import { startCluster } from './cluster';
import { accepts, until } from './process';
import { startRedis } from './redis';
import { startReplica } from './replica';
import { startRogue } from './rogue';
import { seedMixed } from './seed';
import { startSentinel } from './sentinel';

const stops: (() => Promise<void>)[] = [];
afterAll(async () => {
  await Promise.all(stops.map((stop) => stop()));
});

test('a server starts, is seeded with exactly n keys, freezes, restarts, and ends', async () => {
  const server = await startRedis({ databases: 4 });
  stops.push(server.stop);
  await seedMixed(server.client(), 5000);
  expect(await server.client().dbsize()).toBe(5000);
  await server.restart();
  expect(await server.client().dbsize()).toBe(0);
  await server.kill('SIGKILL');
  expect(await accepts(server.port)).toBe(false);
});

test('TLS with a client certificate, password and ACL user, renamed command', async () => {
  const server = await startRedis({
    tls: { clientAuth: 'yes' },
    password: 'pass "word"',
    acl: ['user reader on >pw ~* +@read'],
    renamed: { DEBUG: '' },
  });
  stops.push(server.stop);
  await seedMixed(server.client(), 100);
  expect(await server.client().dbsize()).toBe(100);
  expect(await server.client({ username: 'reader', password: 'pw' }).get('counter:39')).toBe('39');
  await expect(server.client().call('DEBUG', 'SLEEP', '0')).rejects.toThrow(/unknown command/);
});

test('a cluster with replicas serves, and slots move with their keys', async () => {
  const cluster = await startCluster({ masters: 3, replicas: 1 });
  stops.push(cluster.stop);
  const client = cluster.client();
  await seedMixed(client, 3000);
  const [a, b] = cluster.masters;
  if (!a || !b) throw new Error('masters');
  const sizes = () => Promise.all(cluster.masters.map((node) => node.client().dbsize()));
  const before = await sizes();
  expect(before.reduce((x, y) => x + y)).toBe(3000);
  await cluster.moveSlots(a, b, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  const after = await sizes();
  expect(after.reduce((x, y) => x + y)).toBe(3000);
  expect(after[0]).toBeLessThan(before[0] as number);
  expect(await a.client().call('CLUSTER', 'COUNTKEYSINSLOT', '3')).toBe(0);
});

test('a replica follows and a sentinel knows both', async () => {
  const master = await startRedis({ password: 'secret' });
  stops.push(master.stop);
  const replica = await startReplica(master);
  stops.push(replica.stop);
  const sentinel = await startSentinel(master, { name: 'orders', replicas: 1 });
  stops.push(sentinel.stop);
  expect(await sentinel.client().call('SENTINEL', 'get-master-addr-by-name', 'orders')).toEqual([
    '127.0.0.1',
    String(master.port),
  ]);
});

test('a rogue answers as scripted and remembers', async () => {
  const rogue = await startRogue((command) => (command[0] === 'PING' ? '+NOPE\r\n' : '+OK\r\n'));
  stops.push(rogue.stop);
  const { Redis } = await import('ioredis');
  const client = new Redis({ port: rogue.port, enableReadyCheck: false, disableClientInfo: true, protocol: 2 });
  expect(await client.ping()).toBe('NOPE');
  client.disconnect();
  expect(rogue.connections).toBe(1);
  expect(rogue.commands().map((command) => command[0]?.toUpperCase())).toContain('PING');
});

test('servers die with their process even when it is killed without a chance to clean up', async () => {
  const script = `import { startRedis } from './test/servers/redis.ts';
    const server = await startRedis();
    console.log('port ' + server.port);
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout.on('data', (data) => {
      const found = /port (\d+)/.exec(String(data));
      if (found) resolve(Number(found[1]));
    });
    child.once('exit', () => reject(new Error('the script ended')));
  });
  expect(await accepts(port)).toBe(true);
  child.kill('SIGKILL');
  await until('the orphan to be ended', async () => !(await accepts(port)), 30_000);
});
