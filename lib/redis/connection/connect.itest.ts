import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConnectionReport } from '@/lib/redis/server/connection-report';
import { type RedisCluster, startCluster } from '@/test/servers/cluster';
import { until } from '@/test/servers/process';
import { type RedisServer, startRedis } from '@/test/servers/redis';
import { startReplica } from '@/test/servers/replica';
import { seedMixed } from '@/test/servers/seed';
import { startSentinel } from '@/test/servers/sentinel';
import { toTarget } from '@/test/servers/target';
import { makeCertificates } from '@/test/servers/tls';
import { openSession } from './connect';
import { createDestinationPolicy } from './destinations/destination-policy';

const policy = createDestinationPolicy({ allow: '', registered: [] });

describe('standalone', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis({ databases: 8 });
    await seedMixed(server.client(), 200);
    await seedMixed(server.client({ db: 3 }), 100);
  });
  afterAll(() => server.stop());

  it('opens, describes, reconnects after a loss, and closes', async () => {
    const session = await openSession(toTarget(server), policy);
    expect(session.nodes).toEqual([
      expect.objectContaining({ address: server.address, role: 'master', healthy: true, keys: 300, slots: [] }),
    ]);
    expect(session.nodes[0]?.runId).toMatch(/^[0-9a-f]{40}$/);
    const report = await readConnectionReport(session);
    expect(report).toMatchObject({
      topology: 'standalone',
      flavor: 'redis',
      maxmemoryPolicy: 'noeviction',
      lazyfreeLazyExpire: false,
      modules: [],
      username: 'default',
      databases: [
        { db: 0, keys: 200 },
        { db: 3, keys: 100 },
      ],
    });
    expect(report.version).toMatch(/^\d+\.\d+\.\d+/);
    expect(report.latencyMs).toBeGreaterThan(0);
    expect(report.warnings.map((warning) => warning.code)).toEqual(
      expect.arrayContaining([
        'no_password',
        'lazy_expire_off',
        'no_replica',
        'memory_unlimited',
        'default_user_full_access',
      ]),
    );
    expect(report.capabilities.filter((one) => one.status !== 'allowed').map((one) => one.command)).toEqual([
      'CLIENT NO-TOUCH',
    ]);

    const client = await session.client(server.address);
    await server.client().call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    await expect(client.ping()).rejects.toThrow();
    expect(await (await session.client(server.address)).ping()).toBe('PONG');

    await session.close();
    await expect(session.client(server.address)).rejects.toMatchObject({ code: 'redis_unreachable' });
  });

  it('reads another database without moving the first', async () => {
    const session = await openSession(toTarget(server), policy);
    expect(await (await session.client(server.address, 3)).dbsize()).toBe(100);
    expect(await (await session.client(server.address)).dbsize()).toBe(200);
    await session.close();
  });
});

it('a replica registered by itself knows its role and its master', async () => {
  const master = await startRedis({ password: 'pw' });
  const replica = await startReplica(master);
  const session = await openSession(toTarget(replica), policy);
  expect(session.nodes).toEqual([
    expect.objectContaining({
      address: replica.address,
      role: 'replica',
      masterAddress: master.address,
      healthy: true,
    }),
  ]);
  await master.kill('SIGKILL');
  await until('the replica to notice', async () => !(await session.refresh())[0]?.healthy);
  const { warnings } = await readConnectionReport(session);
  expect(warnings.map((warning) => warning.code)).toEqual(
    expect.arrayContaining(['replica_behind', 'node_unreachable']),
  );
  await session.close();
  await Promise.all([replica.stop(), master.stop()]);
});

describe('connections', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis({ password: 'pw' });
  });
  afterAll(() => server.stop());

  it('callers share one client per node, also when they ask at once after a loss', async () => {
    const session = await openSession(toTarget(server), policy, { clientName: 'shared-client' });
    const names = async () =>
      String(await server.client().call('CLIENT', 'LIST')).match(/name=shared-client/g)?.length ?? 0;
    const first = await session.client(server.address);
    expect(await session.client(server.address)).toBe(first);
    await server.client().call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    await until('the loss to be noticed', async () => first.status === 'end');
    const again = await Promise.all(Array.from({ length: 10 }, () => session.client(server.address)));
    expect(new Set(again).size).toBe(1);
    expect(await names()).toBe(1);
    await session.close();
    await until('the client to leave', async () => (await names()) === 0);
  });

  it('commands end when the server stops answering, and the next ones work when it is back', async () => {
    // This is also the time limit of connecting, which must suffice while other tests start servers.
    const session = await openSession(toTarget(server), policy, { timeoutMs: 1500 });
    const client = await session.client(server.address);
    await server.kill('SIGSTOP');
    await expect(client.ping()).rejects.toMatchObject({ code: 'redis_timeout' });
    await server.kill('SIGCONT');
    expect(await (await session.client(server.address)).ping()).toBe('PONG');
    await session.close();
  });

  it('a command whose connection ends fails as what a connection fails of, in a pipeline too', async () => {
    const session = await openSession(toTarget(server), policy);
    const client = await session.client(server.address);
    const asked = [client.ping(), client.call('DEBUG', 'SLEEP', '5'), client.pipeline().ping().exec()];
    client.stream.destroy();
    const outcomes = await Promise.allSettled(asked);
    expect(outcomes.slice(0, 2)).toMatchObject([
      { status: 'rejected', reason: { code: 'redis_unreachable' } },
      { status: 'rejected', reason: { code: 'redis_unreachable' } },
    ]);
    await session.close();
  });

  it('dials a raw socket that has said nothing yet', async () => {
    const session = await openSession(toTarget(server), policy);
    const socket = await session.openSocket(server.address);
    const reply = new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))));
    socket.write('PING\r\n');
    expect(await reply).toMatch(/^-NOAUTH/);
    socket.destroy();
    await session.close();
  });
});

describe('cluster', () => {
  let cluster: RedisCluster;
  beforeAll(async () => {
    cluster = await startCluster({ masters: 3, replicas: 1 });
    await seedMixed(cluster.client(), 600);
  });
  afterAll(() => cluster.stop());

  it('finds all nodes from one seed, masters first in slot order, replicas with their masters', async () => {
    const session = await openSession(toTarget(cluster.nodes[2] as RedisServer, { topology: 'cluster' }), policy);
    expect(session.nodes.map((node) => node.role)).toEqual([
      'master',
      'master',
      'master',
      'replica',
      'replica',
      'replica',
    ]);
    expect(session.nodes.slice(0, 3).map((node) => node.slots)).toEqual(cluster.ranges.map((range) => [range]));
    expect(session.nodes.slice(0, 3).map((node) => node.address)).toEqual(cluster.masters.map((node) => node.address));
    expect(new Set(session.nodes.slice(3).map((node) => node.masterAddress))).toEqual(
      new Set(cluster.masters.map((node) => node.address)),
    );
    expect(session.nodes.every((node) => node.healthy)).toBe(true);
    const report = await readConnectionReport(session);
    expect(report.databases).toEqual([expect.objectContaining({ db: 0, keys: 600 })]);
    expect(report.warnings.map((warning) => warning.code)).not.toContain('uncovered_slots');
    const replica = await session.client(session.nodes[3]?.address as string);
    expect(await replica.dbsize()).toBeGreaterThan(0);
    await session.close();
  });

  it.each([
    ['CLUSTER SHARDS', '+cluster|shards'],
    ['CLUSTER SLOTS', '+cluster|slots'],
    ['CLUSTER NODES', '+cluster|nodes'],
  ])('finds the same nodes by %s alone', async (_command, right) => {
    const node = cluster.nodes[0] as RedisServer;
    for (const one of cluster.nodes) {
      await one
        .client()
        .call('ACL', 'SETUSER', 'narrow', 'reset', 'on', '>pw', '~*', '-@all', '+info', '+readonly', '+ping', right);
    }
    const target = toTarget(node, { topology: 'cluster', username: 'narrow', password: 'pw' });
    const session = await openSession(target, policy);
    expect(session.nodes.map(({ address, role, slots }) => [address, role, slots]).slice(0, 3)).toEqual(
      cluster.masters.map((one, i) => [one.address, 'master', [cluster.ranges[i]]]),
    );
    expect(session.nodes.length).toBe(6);
    await session.close();
  });

  it('follows a failover, from whichever seed is left', async () => {
    const session = await openSession(toTarget(cluster.nodes, { topology: 'cluster' }), policy);
    const [dead] = cluster.masters as [RedisServer];
    await dead.kill('SIGKILL');
    await until(
      'the replica to take over',
      async () => {
        const nodes = await session.refresh();
        const owner = nodes.find((node) => node.slots.some(([from]) => from === 0));
        return owner?.healthy === true && owner.address !== dead.address;
      },
      30_000,
      300,
    );
    expect(session.nodes.find((node) => node.address === dead.address)?.healthy ?? false).toBe(false);
    expect(session.nodes.filter((node) => node.role === 'master' && node.healthy).length).toBe(3);
    await session.close();
  });
});

it('a cluster behind TLS is dialled on its TLS ports', async () => {
  const certificates = await makeCertificates();
  const cluster = await startCluster({ wishes: { tls: { certificates }, password: 'pw' } });
  const session = await openSession(toTarget(cluster.nodes.slice(0, 1), { topology: 'cluster' }), policy);
  expect(session.nodes.map((node) => node.address)).toEqual(cluster.masters.map((node) => node.address));
  expect(session.nodes.every((node) => node.healthy && node.runId !== null)).toBe(true);
  await session.close();
  await cluster.stop();
});

describe('sentinel', () => {
  it('asks the Sentinel for master and replicas', async () => {
    const master = await startRedis({ password: 'data secret' });
    const replica = await startReplica(master);
    const sentinel = await startSentinel(master, { name: 'orders', replicas: 1, password: 'sentinel secret' });
    try {
      const target = toTarget(sentinel, {
        topology: 'sentinel',
        sentinelName: 'orders',
        password: 'data secret',
        sentinelPassword: 'sentinel secret',
      });
      const session = await openSession(target, policy);
      expect(session.nodes.map(({ address, role, masterAddress }) => ({ address, role, masterAddress }))).toEqual([
        { address: master.address, role: 'master', masterAddress: null },
        { address: replica.address, role: 'replica', masterAddress: master.address },
      ]);
      await readConnectionReport(session);
      await session.close();
    } finally {
      await Promise.all([sentinel.stop(), replica.stop(), master.stop()]);
    }
  });
});
