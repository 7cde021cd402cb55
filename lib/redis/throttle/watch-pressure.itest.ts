import { afterEach, expect, it } from 'vitest';
import { measureServerTime, SCAN_CALLS } from '@/lib/redis/server/measure-server-time';
import { patientLatency, shippedLatency } from '@/test/servers/latency';
import { type RedisServer, startRedis } from '@/test/servers/redis';
import { startReplica } from '@/test/servers/replica';
import { inputFor, readAll, sessionTo } from '@/test/servers/scan-session';
import { seedMixed } from '@/test/servers/seed';
import { createNodeThrottle } from './throttle';
import { watchPressure } from './watch-pressure';

const servers: RedisServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.stop())));
afterEach(patientLatency);
const start = async (...args: Parameters<typeof startRedis>) => {
  const server = await startRedis(...args);
  servers.push(server);
  return server;
};
const until = async (what: () => boolean, ms = 30_000) => {
  for (const end = Date.now() + ms; Date.now() < end; ) {
    if (what()) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return false;
};
const quick = { pingEveryMs: 50, infoEveryMs: 150 };

it('a healthy server holds nothing and tells its latency', async () => {
  const server = await start();
  const session = await sessionTo(server);
  const throttle = createNodeThrottle('gentle');
  let updates = 0;
  const watch = watchPressure(session, server.address, throttle, { ...quick, onUpdate: () => updates++ });
  expect(await until(() => updates > 10)).toBe(true);
  expect(throttle.critical).toBeNull();
  expect(throttle.stats.lastLatencyMs).toBeGreaterThan(0);
  watch.stop();
  await session.close();
});

it('a server that stands still twice is critical; after stop nothing counts', async () => {
  shippedLatency();
  const server = await start({ args: ['--enable-debug-command', 'local'] });
  const client = server.client();
  const session = await sessionTo(server);
  const throttle = createNodeThrottle('gentle');
  const watch = watchPressure(session, server.address, throttle, quick);
  await until(() => throttle.stats.lastLatencyMs !== null);
  // This is repeated in case this process was blocked meanwhile, because that time is not counted against the server.
  for (let i = 0; i < 6 && throttle.critical === null; i++) {
    await client.call('DEBUG', 'SLEEP', '0.4');
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
  expect(await until(() => throttle.critical !== null)).toBe(true);
  expect(throttle.critical?.code).toBe('critical_latency');
  watch.stop();

  const later = createNodeThrottle('gentle');
  const ended = watchPressure(session, server.address, later, quick);
  await until(() => later.stats.lastLatencyMs !== null);
  ended.stop();
  for (let i = 0; i < 2; i++) await client.call('DEBUG', 'SLEEP', '0.4');
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(later.critical).toBeNull();
  expect(later.reason).toBeNull();
  await session.close();
});

it('one stall of less than twice the limit is one slow sample; a long one is critical while it lasts', async () => {
  shippedLatency(4);
  const server = await start({ args: ['--enable-debug-command', 'local'] });
  const client = server.client();
  const session = await sessionTo(server);
  const throttle = createNodeThrottle('gentle');
  const watch = watchPressure(session, server.address, throttle, quick);
  await until(() => throttle.stats.lastLatencyMs !== null);
  // This is repeated in case this process was blocked meanwhile, because that time is not counted against the server.
  for (let i = 0; i < 6 && throttle.stats.worstLatencyMs < 1000; i++) {
    await client.call('DEBUG', 'SLEEP', '1.4');
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  expect(throttle.stats.worstLatencyMs).toBeGreaterThanOrEqual(1000);
  expect(throttle.critical).toBeNull();
  await new Promise((resolve) => setTimeout(resolve, 2600));
  let isCriticalMeanwhile = false;
  for (let i = 0; i < 3 && throttle.critical === null; i++) {
    const long = client.call('DEBUG', 'SLEEP', '4');
    isCriticalMeanwhile = await until(() => throttle.critical !== null, 3500);
    await long;
  }
  expect(isCriticalMeanwhile).toBe(true);
  watch.stop();
  await session.close();
});

it('a lost connection holds, its return releases, and another process is seen', async () => {
  const server = await start();
  const session = await sessionTo(server);
  const throttle = createNodeThrottle('gentle');
  const watch = watchPressure(session, server.address, throttle, quick);
  await until(() => throttle.stats.lastLatencyMs !== null);
  await new Promise((resolve) => setTimeout(resolve, 300));
  await server.kill();
  expect(await until(() => throttle.reason?.code === 'connection_lost')).toBe(true);
  await server.restart();
  expect(await until(() => throttle.critical?.code === 'run_id_changed')).toBe(true);
  watch.stop();
  await session.close();
});

it('a replica that becomes a master is seen', async () => {
  const master = await start();
  const replica = await startReplica(master);
  servers.push(replica);
  const session = await sessionTo(replica);
  const throttle = createNodeThrottle('gentle');
  const watch = watchPressure(session, replica.address, throttle, quick);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(throttle.critical).toBeNull();
  await replica.client().call('REPLICAOF', 'NO', 'ONE');
  expect(await until(() => throttle.critical?.code === 'role_changed')).toBe(true);
  watch.stop();
  await session.close();
});

it('a frozen replica holds the scan of its master', async () => {
  const master = await start({ args: ['--repl-ping-replica-period', '1'] });
  const replica = await startReplica(master);
  servers.push(replica);
  const session = await sessionTo(master);
  const throttle = createNodeThrottle('gentle');
  const watch = watchPressure(session, master.address, throttle, quick);
  await replica.kill('SIGSTOP');
  expect(await until(() => throttle.reason?.code === 'replica_lag')).toBe(true);
  await replica.kill('SIGCONT');
  expect(await until(() => throttle.reason === null)).toBe(true);
  watch.stop();
  await session.close();
});

it('evictions hold', async () => {
  const server = await start({ args: ['--maxmemory', '3mb', '--maxmemory-policy', 'allkeys-lru'] });
  const client = server.client();
  const session = await sessionTo(server);
  const throttle = createNodeThrottle('gentle');
  const watch = watchPressure(session, server.address, throttle, quick);
  await new Promise((resolve) => setTimeout(resolve, 400));
  let held = false;
  for (let i = 0; i < 200 && !held; i++) {
    const pipeline = client.pipeline();
    for (let k = 0; k < 100; k++) pipeline.set(`k:${i}:${k}`, 'x'.repeat(500));
    await pipeline.exec();
    held = throttle.reason?.code === 'evicting';
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  expect(held || (await until(() => throttle.reason?.code === 'evicting', 10_000))).toBe(true);
  watch.stop();
  expect(throttle.reason).toBeNull();
  await session.close();
});

it('tells the server time a scan took, and null where that is denied', async () => {
  const server = await start({ acl: ['user blind on >secret ~* +@all -info'] });
  await seedMixed(server.client(), 5000);
  const session = await sessionTo(server);
  const end = await measureServerTime(session, server.address, SCAN_CALLS);
  await readAll(inputFor(session, server));
  const ms = await end();
  expect(ms).toBeGreaterThan(1);
  expect(ms).toBeLessThan(5000);
  const blind = await sessionTo(server, { username: 'blind', password: 'secret' });
  expect(await (await measureServerTime(blind, server.address, SCAN_CALLS))()).toBeNull();
  await Promise.all([session.close(), blind.close()]);
});
