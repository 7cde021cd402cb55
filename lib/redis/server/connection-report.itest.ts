import { inspect } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { openSession } from '@/lib/redis/connection/connect';
import { createDestinationPolicy } from '@/lib/redis/connection/destinations/destination-policy';
import { startCluster } from '@/test/servers/cluster';
import { until } from '@/test/servers/process';
import { type RedisServer, startRedis } from '@/test/servers/redis';
import { bulk, startRogue } from '@/test/servers/rogue';
import { toTarget } from '@/test/servers/target';
import { readConnectionReport } from './connection-report';

const policy = createDestinationPolicy({ allow: '', registered: [] });
const stops: (() => Promise<unknown>)[] = [];
afterAll(() => Promise.all(stops.map((stop) => stop())));

async function describeServer(target: Parameters<typeof openSession>[0]) {
  const session = await openSession(target, policy);
  try {
    return await readConnectionReport(session);
  } finally {
    await session.close();
  }
}

describe('warnings of a real server', () => {
  it('memory that is nearly full, an evicting policy, many databases', async () => {
    const server = await startRedis({ args: ['--maxmemory-policy', 'volatile-lru'] });
    stops.push(server.stop);
    const client = server.client();
    for (let db = 0; db < 10; db++) {
      await client.select(db);
      await client.set('k', 'x'.repeat(100_000));
    }
    const used = Number(/used_memory:(\d+)/.exec(await client.info('memory'))?.[1]);
    await client.config('SET', 'maxmemory', String(Math.round(used * 1.04)));
    const report = await describeServer(toTarget(server));
    expect(report.maxmemoryPolicy).toBe('volatile-lru');
    expect(report.databases?.map(({ db, keys }) => [db, keys])).toEqual(Array.from({ length: 10 }, (_, db) => [db, 1]));
    expect(report.warnings).toContainEqual({ code: 'many_databases', severity: 'info', params: { count: 10 } });
    const codes = report.warnings.map((warning) => warning.code);
    expect(codes).toEqual(expect.arrayContaining(['near_maxmemory', 'evicting_policy']));
    expect(codes).not.toContain('memory_unlimited');
  });

  it('sums databases only of masters, with the average expiry weighed', async () => {
    const cluster = await startCluster({ masters: 3, replicas: 1 });
    stops.push(cluster.stop);
    const client = cluster.client();
    await Promise.all(Array.from({ length: 90 }, (_, i) => client.set(`k${i}`, 'v', 'EX', 1000)));
    const report = await describeServer(toTarget(cluster.nodes, { topology: 'cluster' }));
    expect(report.databases).toEqual([{ db: 0, keys: 90, expires: 90, avgTtlMs: expect.any(Number) }]);
    // avg_ttl is sampled by the server and may still be 0, but is never above what was set.
    expect(report.databases?.[0]?.avgTtlMs).toBeLessThanOrEqual(1_000_000);

    const [first, , last] = cluster.masters as [RedisServer, RedisServer, RedisServer];
    const lazily = (server: RedisServer, value: string) => server.client().config('SET', 'lazyfree-lazy-expire', value);
    const lazyExpire = async () =>
      (await describeServer(toTarget(cluster.nodes, { topology: 'cluster' }))).lazyfreeLazyExpire;
    for (const master of cluster.masters) await lazily(master, 'yes');
    expect(await lazyExpire()).toBe(true);
    // One master that frees at once is enough to block, whichever was read first; replicas expire nothing themselves.
    await lazily(last, 'no');
    expect(await lazyExpire()).toBe(false);
    await last.client().call('ACL', 'SETUSER', 'default', '-config|get');
    expect(await lazyExpire()).toBeNull();
    await last.client().call('ACL', 'SETUSER', 'default', '+config|get');

    await Promise.all(
      cluster.nodes.map((node) =>
        node
          .client()
          .call('CLUSTER', 'DELSLOTS', '7', '8')
          .catch(() => undefined),
      ),
    );
    await until('the cluster to notice', async () =>
      String(await first.client().call('CLUSTER', 'INFO')).includes('cluster_state:fail'),
    );
    const { warnings } = await describeServer(toTarget(first, { topology: 'cluster' }));
    expect(warnings).toContainEqual({ code: 'uncovered_slots', severity: 'danger', params: { count: 2 } });
    expect(warnings).toContainEqual({ code: 'cluster_not_ok', severity: 'danger', params: { state: 'fail' } });
  });
});

describe('servers that tell strange things', () => {
  const rogueWith = async (info: () => string) => {
    const rogue = await startRogue(([name, sub]) => {
      if (name === 'PING') return '+PONG\r\n';
      if (name === 'HELLO') return "-ERR unknown command 'HELLO'\r\n";
      if (name === 'CLIENT' && sub?.toUpperCase() === 'SETNAME') return '+OK\r\n';
      if (name === 'INFO') return bulk(info());
      return '-ERR unknown command\r\n';
    });
    stops.push(rogue.stop);
    return toTarget({ host: '127.0.0.1', port: rogue.port, password: undefined, certificates: undefined });
  };

  it('an old version, a run_id that changes with each question', async () => {
    let calls = 0;
    const target = await rogueWith(
      () =>
        `redis_version:5.0.7\r\nredis_mode:standalone\r\nrun_id:${(calls++).toString(16).padStart(40, '0')}\r\nrole:master\r\n`,
    );
    const report = await describeServer(target);
    expect(report).toMatchObject({ flavor: 'redis', version: '5.0.7', modules: null, lazyfreeLazyExpire: null });
    const codes = report.warnings.map((warning) => warning.code);
    expect(codes).toEqual(expect.arrayContaining(['old_version', 'proxy_suspected', 'missing_commands']));
  });

  it('nearly nothing: unknown stays unknown', async () => {
    const report = await describeServer(await rogueWith(() => 'hello:world\r\n'));
    expect(report).toMatchObject({ flavor: 'unknown', version: null, maxmemoryPolicy: null, modules: null });
    expect(report.nodes[0]).toMatchObject({
      runId: null,
      role: 'unknown',
      keys: null,
      usedMemoryBytes: null,
      maxmemoryBytes: null,
    });
  });
});

it('a session shows no secret when it is logged', async () => {
  const server = await startRedis({ password: 'canary-secret' });
  stops.push(server.stop);
  const session = await openSession(toTarget(server), policy);
  expect(inspect({ session }, { depth: 10 })).not.toContain('canary');
  expect(JSON.stringify({ session })).not.toContain('canary');
  await session.close();
});
