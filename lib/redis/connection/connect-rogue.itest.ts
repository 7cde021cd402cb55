import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchLiveKey } from '@/lib/redis/live-key/fetch-live-key';
import { readConnectionReport } from '@/lib/redis/server/connection-report';
import { type RedisServer, startRedis } from '@/test/servers/redis';
import { array, bulk, type RogueHandler, type RogueServer, startRogue } from '@/test/servers/rogue';
import { toTarget } from '@/test/servers/target';
import { openSession } from './connect';
import { createDestinationPolicy } from './destinations/destination-policy';

/** Servers that announce foreign addresses: not a single byte may be sent to those. */
const SECRET = 'canary-91ab-password';
const stops: (() => Promise<unknown>)[] = [];
afterAll(() => Promise.all(stops.map((stop) => stop())));

let victim: RogueServer;
beforeAll(async () => {
  victim = await openRogue(() => '+PONG\r\n');
});
async function openRogue(handler: RogueHandler): Promise<RogueServer> {
  const rogue = await startRogue(handler);
  stops.push(rogue.stop);
  return rogue;
}
/** Only these ports of loopback are allowed destinations. */
const only = (...ports: number[]) =>
  createDestinationPolicy({ allow: ports.map((port) => `127.0.0.1/32:${port}`).join(','), registered: [] });
const int = (n: number) => `:${n}\r\n`;
const at = (rogue: RogueServer, more: Parameters<typeof toTarget>[1] = {}) =>
  toTarget({ host: '127.0.0.1', port: rogue.port, password: SECRET, certificates: undefined }, more);

const clusterInfo = bulk(
  'redis_version:7.0.15\r\nredis_mode:cluster\r\nrun_id:abc\r\nrole:master\r\nused_memory:1\r\n',
);
const shardNode = (host: string | null, port: number, role = 'master') =>
  array([
    ...[bulk('id'), bulk('x'), bulk('port'), int(port), bulk('ip'), bulk(host), bulk('endpoint'), bulk(host)],
    ...[bulk('role'), bulk(role), bulk('health'), bulk('online')],
  ]);
const shard = (from: number, to: number, nodes: string[]) =>
  array([bulk('slots'), array([int(from), int(to)]), bulk('nodes'), array(nodes)]);

/** A node that accepts any password and announces `place` for half of the slots, by the given command. */
function liar(
  by: 'SHARDS' | 'SLOTS' | 'NODES',
  self: () => number,
  place: { host: string; port: number },
): RogueHandler {
  return ([name, sub]) => {
    const command = sub?.toUpperCase();
    if (name === 'PING') return '+PONG\r\n';
    if (name === 'HELLO') return '-NOPROTO unsupported protocol version\r\n';
    if (name === 'AUTH' || name === 'CLIENT' || name === 'READONLY') return '+OK\r\n';
    if (name === 'INFO') return clusterInfo;
    if (name === 'CLUSTER' && command !== by)
      return `-ERR Unknown subcommand or wrong number of arguments for '${sub}'\r\n`;
    if (name !== 'CLUSTER') return '-ERR unknown command\r\n';
    if (by === 'SHARDS') {
      return array([
        shard(0, 8191, [shardNode(null, self())]),
        shard(8192, 16_383, [shardNode(place.host, place.port), shardNode(place.host, place.port, 'replica')]),
      ]);
    }
    if (by === 'SLOTS') {
      return array([
        array([int(0), int(8191), array([bulk(''), int(self()), bulk('a')])]),
        array([int(8192), int(16_383), array([bulk(place.host), int(place.port), bulk('b')])]),
      ]);
    }
    return bulk(
      `aa :${self()}@0 myself,master - 0 0 1 connected 0-8191\nbb ${place.host}:${place.port}@1,x master - 0 0 2 connected 8192-16383\n`,
    );
  };
}

describe.each(['SHARDS', 'SLOTS', 'NODES'] as const)('a cluster that announces a foreign port by CLUSTER %s', (by) => {
  it('is used where it may be, says what was refused, and sends nothing elsewhere', async () => {
    let port = 0;
    const rogue = await openRogue(liar(by, () => port, victim));
    port = rogue.port;
    const session = await openSession(at(rogue, { topology: 'cluster' }), only(rogue.port));
    expect(session.nodes.find((node) => node.port === port)).toMatchObject({ healthy: true, slots: [[0, 8191]] });
    const foreign = session.nodes.find((node) => node.port === victim.port);
    expect(foreign).toMatchObject({ healthy: false, runId: null });
    expect(session.problems.get(victim.address)).toMatchObject({ code: 'destination_refused' });
    await expect(session.openSocket(victim.address)).rejects.toMatchObject({ code: 'destination_refused' });
    await expect(session.client(victim.address)).rejects.toMatchObject({ code: 'destination_refused' });
    // 'foo' hashes to slot 12182, which the foreign node claims.
    await expect(fetchLiveKey(session, { key: Buffer.from('foo'), db: 0, preview: true })).rejects.toMatchObject({
      code: 'destination_refused',
    });
    const { warnings } = await readConnectionReport(session);
    expect(warnings).toContainEqual({
      code: 'destination_refused',
      severity: 'danger',
      params: { address: victim.address },
    });
    await session.close();
    expect(victim.connections).toBe(0);
    expect(victim.received().length).toBe(0);
  });
});

it.each(['169.254.169.254', '0.0.0.0', '127.1', '2130706433', 'x\r\nAUTH y'])(
  'a cluster that announces %j',
  async (host) => {
    let port = 0;
    const rogue = await openRogue(liar('SHARDS', () => port, { host, port: 80 }));
    port = rogue.port;
    const open = createDestinationPolicy({ allow: '0.0.0.0/0', registered: [] });
    const session = await openSession(at(rogue, { topology: 'cluster' }), open);
    expect([...(session.problems.values() ?? [])].map((problem) => problem.code)).toEqual(['destination_refused']);
    await session.close();
  },
);

it('a cluster of which no node may be dialled fails with that reason', async () => {
  const rogue = await openRogue(liar('SHARDS', () => victim.port, victim));
  const failed = openSession(at(rogue, { topology: 'cluster' }), only(rogue.port));
  await expect(failed).rejects.toMatchObject({ code: 'destination_refused' });
  expect(victim.received().length).toBe(0);
});

it('MOVED is an answer, not an order', async () => {
  const mover = await openRogue(([name]) => {
    if (name === 'PING') return '+PONG\r\n';
    if (name === 'HELLO') return '-NOPROTO\r\n';
    if (name === 'AUTH' || name === 'CLIENT') return '+OK\r\n';
    if (name === 'INFO') return bulk('redis_version:7.0.15\r\nredis_mode:standalone\r\nrun_id:abc\r\nrole:master\r\n');
    return `-MOVED 99999 ${victim.address}\r\n`;
  });
  const session = await openSession(at(mover), only(mover.port));
  const failed = fetchLiveKey(session, { key: Buffer.from('k'), db: 0, preview: true });
  await expect(failed).rejects.toMatchObject({ name: 'AppError' });
  await session.close();
  expect(victim.received().length).toBe(0);
});

describe('a Sentinel', () => {
  const sentinel =
    (place: { host: string; port: number }, replicas: { host: string; port: number }[] = []): RogueHandler =>
    ([name, sub]) => {
      if (name === 'PING') return '+PONG\r\n';
      if (name === 'HELLO') return '-NOPROTO\r\n';
      if (name === 'CLIENT' || name === 'AUTH') return '+OK\r\n';
      if (name === 'INFO') return bulk('redis_version:7.0.15\r\nredis_mode:sentinel\r\n');
      if (name === 'SENTINEL' && /get-master/i.test(sub ?? ''))
        return array([bulk(place.host), bulk(String(place.port))]);
      if (name === 'SENTINEL') {
        return array(
          replicas.map((replica) =>
            array([
              bulk('ip'),
              bulk(replica.host),
              bulk('port'),
              bulk(String(replica.port)),
              bulk('flags'),
              bulk('slave'),
            ]),
          ),
        );
      }
      return '-ERR unknown command\r\n';
    };

  it('that announces a foreign master is refused, and never gets the password of the data servers', async () => {
    const rogue = await openRogue(sentinel(victim));
    const target = at(rogue, { topology: 'sentinel', sentinelName: 'orders', sentinelPassword: 'other' });
    await expect(openSession(target, only(rogue.port))).rejects.toMatchObject({ code: 'destination_refused' });
    expect(victim.connections).toBe(0);
    expect(rogue.received().toString('latin1')).not.toContain(SECRET);
    expect(rogue.received().toString('latin1')).toContain('other');
  });

  it('that announces a foreign replica: the master is used, the replica is not', async () => {
    const master: RedisServer = await startRedis({ password: SECRET });
    stops.push(master.stop);
    const rogue = await openRogue(sentinel(master, [victim]));
    const target = at(rogue, { topology: 'sentinel', sentinelName: 'orders' });
    const session = await openSession(target, only(rogue.port, master.port));
    expect(session.nodes.map(({ role, healthy }) => ({ role, healthy }))).toEqual([
      { role: 'master', healthy: true },
      { role: 'replica', healthy: false },
    ]);
    await session.close();
    expect(victim.connections).toBe(0);
  });
});

it('a reply that never ends is cut off', async () => {
  const flood = await openRogue(async ([name], socket) => {
    if (name === 'PING') return '+PONG\r\n';
    if (name === 'HELLO') return '-NOPROTO\r\n';
    if (name === 'AUTH' || name === 'CLIENT') return '+OK\r\n';
    socket.write('$536870912\r\n');
    const piece = Buffer.alloc(1024 * 1024, 'x');
    while (!socket.destroyed) {
      if (!socket.write(piece)) await new Promise((resolve) => socket.once('drain', resolve).once('close', resolve));
      await new Promise((resolve) => setImmediate(resolve));
    }
    return null;
  });
  const before = process.memoryUsage().rss;
  await expect(openSession(at(flood), only(flood.port))).rejects.toMatchObject({ name: 'AppError' });
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
});
