import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it, vi } from 'vitest';
import { withSession } from '@/lib/instances/with-session';
import { openSession } from '@/lib/redis/connection/connect';
import { MAX_CONNECTIONS_PER_NODE } from '@/lib/redis/connection/connection-limit';
import { createDestinationPolicy } from '@/lib/redis/connection/destinations/destination-policy';
import type { DestinationPolicy } from '@/lib/redis/connection/session';
import { startRedis } from '@/test/servers/redis';
import { array, bulk, type RogueServer, startRogue } from '@/test/servers/rogue';
import { toTarget } from '@/test/servers/target';

/** The timeout of a connection attempt never ends before the test: only an abort ends an attempt. */
vi.mock('@/lib/redis/connection/open-socket', async (original) => ({
  ...(await original<typeof import('@/lib/redis/connection/open-socket')>()),
  CONNECT_TIMEOUT_MS: 150_000,
}));

/**
 * Servers that announce more nodes than exist, and clients that never disconnect: a time limit must stop the work, not
 * only the wait.
 */
const stops: (() => Promise<unknown>)[] = [];
afterAll(() => Promise.all(stops.map((stop) => stop())));
const loopback = createDestinationPolicy({ allow: '127.0.0.0/8', registered: [] });
/** Every name resolves to the same address, as if all nodes of a cluster were reached through one proxy. */
const policy: DestinationPolicy = { resolve: (_, port) => loopback.resolve('127.0.0.1', port) };

const int = (n: number) => `:${n}\r\n`;
const shardNode = (host: string, port: number) =>
  array([
    ...[bulk('id'), bulk('x'), bulk('port'), int(port), bulk('ip'), bulk(host), bulk('endpoint'), bulk(host)],
    ...[bulk('role'), bulk('master'), bulk('health'), bulk('online')],
  ]);

/** Starts a "cluster" that answers and announces `count` more nodes, which accept a connection and then say nothing. */
async function clusterOfSilent(count: number) {
  const silent = await startRogue();
  stops.push(silent.stop);
  const nodes = Array.from({ length: count }, (_, i) => shardNode(`127.1.${i >> 8}.${i & 255}`, silent.port));
  const info = bulk('redis_version:7.0.15\r\nredis_mode:cluster\r\nrun_id:abc\r\nrole:master\r\nused_memory:1\r\n');
  const speaker = await startRogue(([name, sub]) => {
    if (name === 'PING') return '+PONG\r\n';
    if (name === 'HELLO') return '-NOPROTO unsupported protocol version\r\n';
    if (name === 'INFO') return info;
    if (name === 'CLUSTER' && sub?.toUpperCase() === 'SHARDS')
      return array(
        nodes.map((node, i) => array([bulk('slots'), array([int(i), int(i)]), bulk('nodes'), array([node])])),
      );
    return name === 'CLUSTER' ? '-ERR no\r\n' : '+OK\r\n';
  });
  stops.push(speaker.stop);
  const target = toTarget(
    { host: '127.0.0.1', port: speaker.port, password: undefined, certificates: undefined },
    { topology: 'cluster' },
  );
  return { silent, target };
}

/** Returns the number of connections in the next half second; a client that keeps opening them does so at once. */
async function newConnections(server: RogueServer): Promise<number> {
  const before = server.connections;
  await sleep(500);
  return server.connections - before;
}

it('a list of five thousand nodes is refused before one of them is connected to', async () => {
  const { silent, target } = await clusterOfSilent(5000);
  await expect(openSession(target, policy)).rejects.toMatchObject({ code: 'too_many_nodes', details: { nodes: 5000 } });
  expect(silent.connections).toBe(0);
});

it('when the time is up, no further node is connected to', async () => {
  const { silent, target } = await clusterOfSilent(900);
  const asked = withSession(target, policy, async () => 'opened', 1000);
  await expect(asked).rejects.toMatchObject({ code: 'redis_timeout' });
  expect(silent.connections).toBeGreaterThan(0);
  // Attempts in progress are cut too.
  await expect.poll(silent.open, { timeout: 60_000 }).toBe(0);
  expect(await newConnections(silent)).toBe(0);
});

it('when the time is up, a handshake that is under way is cut off', async () => {
  const silent = await startRogue();
  stops.push(silent.stop);
  const target = toTarget({ ...silent, password: undefined, certificates: undefined });
  const tls = { ...target.tls, enabled: true };
  const asked = withSession({ ...target, tls }, policy, async () => 'opened', 1000);
  await expect(asked).rejects.toMatchObject({ code: 'redis_timeout' });
  await expect.poll(silent.open, { timeout: 60_000 }).toBe(0);
});

it('all nodes together are asked for so long: those that were not reached by then are not connected to', async () => {
  const { silent, target } = await clusterOfSilent(200);
  const now = performance.now.bind(performance);
  // The clock advances by half a minute while the first nodes are waited for.
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + (silent.connections > 0 ? 31_000 : 0));
  try {
    await expect(openSession(target, policy, { timeoutMs: 1000 })).rejects.toMatchObject({ code: 'redis_timeout' });
  } finally {
    clock.mockRestore();
  }
  expect(silent.connections).toBeLessThan(50);
});

it('an act that waits for an answer is cut off with the limit', async () => {
  const redis = await startRedis();
  stops.push(() => redis.stop());
  const ended: unknown[] = [];
  const asked = withSession(
    toTarget(redis),
    policy,
    async (session) => {
      const client = await session.client(session.nodes[0]!.address);
      // BLPOP blocks for ever here: only a closed connection ends it.
      await client.call('BLPOP', 'none', '0').then(
        () => ended.push('answered'),
        () => ended.push('cut off'),
      );
    },
    1000,
  );
  await expect(asked).rejects.toMatchObject({ code: 'redis_timeout' });
  await expect.poll(() => ended, { timeout: 60_000 }).toEqual(['cut off']);
});

it('sessions of one process share a bounded number of connections to a node, and wait for each other', async () => {
  const redis = await startRedis();
  stops.push(() => redis.stop());
  const { address } = redis;
  const session = await openSession(toTarget(redis), policy);
  const own = Array.from({ length: MAX_CONNECTIONS_PER_NODE - 1 }, () => session.openSocket(address));
  const sockets = await Promise.all(own);
  const late = openSession(toTarget(redis), policy, { timeoutMs: 5000 });
  await expect(late).rejects.toMatchObject({
    code: 'too_many_connections',
    details: { limit: MAX_CONNECTIONS_PER_NODE },
  });
  const waiting = openSession(toTarget(redis), policy);
  setTimeout(() => sockets.forEach((socket) => void socket.destroy()), 200);
  const opened = await waiting;
  expect(opened.nodes).toHaveLength(1);
  await Promise.all([opened.close(), session.close()]);
});
