import { afterAll, describe, expect, it } from 'vitest';
import { openSession } from '@/lib/redis/connection/connect';
import { createDestinationPolicy } from '@/lib/redis/connection/destinations/destination-policy';
import type { RedisSession } from '@/lib/redis/connection/session';
import { type RedisCluster, startCluster } from '@/test/servers/cluster';
import { type RedisServer, startRedis } from '@/test/servers/redis';
import { toTarget } from '@/test/servers/target';
import { probeCapabilities } from './capabilities';
import { readConnectionReport } from './connection-report';

const policy = createDestinationPolicy({ allow: '', registered: [] });

/** The user that the product prints for copy and paste; the test runs on 7.0, so without the additions for 7.2. */
const SCAN_USER =
  'user colonnade_scan on >scan-password ~* -@all +ping +hello +auth +select +client|setname +client|id +info +role +dbsize +scan ' +
  '+type +pttl +pexpiretime +exists +object|encoding +object|idletime +object|freq +object|refcount +memory|usage +strlen +hlen +llen +scard +zcard ' +
  '+xlen +cluster|slots +cluster|shards +cluster|nodes +readonly +command +latency|latest +slowlog|get +config|get';

const stops: (() => Promise<unknown>)[] = [];
afterAll(() => Promise.all(stops.map((stop) => stop())));

async function withServer(
  options: Parameters<typeof startRedis>[0],
  user: { username?: string; password?: string } = {},
): Promise<{ server: RedisServer; session: RedisSession }> {
  const server = await startRedis(options);
  stops.push(server.stop);
  const session = await openSession(toTarget(server, user), policy);
  stops.push(() => session.close());
  return { server, session };
}

const counted = (all: boolean) => ({ string: all, hash: all, list: all, set: all, zset: all, stream: all });
const status = (list: { command: string; status: string }[]) =>
  Object.fromEntries(list.map((one) => [one.command, one.status]));

describe('the documented scan user', () => {
  it('may send everything the scan wants, and nothing is warned of but what is so', async () => {
    const { server, session } = await withServer(
      { acl: [SCAN_USER] },
      { username: 'colonnade_scan', password: 'scan-password' },
    );
    const { scan, list } = await probeCapabilities(session, server.address);
    expect(scan).toEqual({
      scan: true,
      memoryUsage: true,
      objectEncoding: true,
      objectIdle: true,
      objectFreq: false,
      objectRefcount: true,
      sharedIntegers: true,
      pexpiretime: true,
      pttl: true,
      type: true,
      lengths: { ...counted(true), vectorset: false, array: false },
      noTouch: false,
      denied: expect.any(Array),
    });
    expect(list.filter((one) => one.status === 'denied').map((one) => one.command)).toEqual(scan.denied);
    expect(list.filter((one) => one.status !== 'allowed').map((one) => one.command)).toEqual(['CLIENT NO-TOUCH']);
    const report = await readConnectionReport(session);
    expect(report).toMatchObject({
      username: 'colonnade_scan',
      flavor: 'redis',
      databases: [],
      lazyfreeLazyExpire: false,
    });
    const codes = report.warnings.map((warning) => warning.code);
    expect(codes).not.toContain('missing_commands');
    expect(codes).not.toContain('no_password');
    expect(codes).not.toContain('default_user_full_access');
  });

  it('opens a cluster', async () => {
    const cluster: RedisCluster = await startCluster({ wishes: { acl: [SCAN_USER] } });
    stops.push(cluster.stop);
    const target = toTarget(cluster.nodes[0] as RedisServer, {
      topology: 'cluster',
      username: 'colonnade_scan',
      password: 'scan-password',
    });
    const session = await openSession(target, policy);
    stops.push(() => session.close());
    expect(session.nodes.map((node) => node.slots)).toEqual(cluster.ranges.map((range) => [range]));
    for (const node of session.nodes) {
      const { scan, list } = await probeCapabilities(session, node.address);
      // The name that does not exist belongs to one node only; a MOVED reply means allowed too.
      expect(scan).toMatchObject({ memoryUsage: true, type: true, pttl: true, objectEncoding: true });
      expect(status(list)).toMatchObject({
        'CLUSTER SHARDS': 'allowed',
        'CLUSTER SLOTS': 'allowed',
        READONLY: 'allowed',
      });
    }
  });
});

describe('a user with less', () => {
  it('loses what was denied, by name', async () => {
    const { server, session } = await withServer(
      { acl: ['user small on >pw ~app:* -@all +scan +type +pttl +ping'] },
      { username: 'small', password: 'pw' },
    );
    await server.client().set('k', 'v');
    expect(session.nodes).toEqual([
      expect.objectContaining({ healthy: true, role: 'unknown', runId: null, keys: null, version: null }),
    ]);
    const { scan, list } = await probeCapabilities(session, server.address);
    // Rights are limited to app:*, but the commands themselves are allowed.
    expect(scan).toMatchObject({ type: true, pttl: true, pexpiretime: false, memoryUsage: false, objectIdle: false });
    expect(scan.lengths).toEqual({ ...counted(false), vectorset: false, array: false });
    const lost = Object.fromEntries(list.filter((one) => one.lost !== 'none').map((one) => [one.command, one.lost]));
    expect(lost).toMatchObject({
      'MEMORY USAGE': 'bytes',
      'OBJECT ENCODING': 'encoding',
      'OBJECT IDLETIME': 'idle',
      STRLEN: 'length',
    });
    expect(lost).not.toHaveProperty('PEXPIRETIME');
    const report = await readConnectionReport(session);
    expect(report).toMatchObject({
      databases: null,
      lazyfreeLazyExpire: null,
      maxmemoryPolicy: null,
      username: 'small',
      // HELLO cannot be denied.
      flavor: 'redis',
      version: expect.stringMatching(/^\d+\./),
    });
    expect(report.warnings).toContainEqual(
      expect.objectContaining({
        code: 'missing_commands',
        severity: 'warning',
        params: { commands: expect.stringContaining('MEMORY USAGE') },
      }),
    );
  });

  it('without SCAN nothing can be done, and that is told as danger', async () => {
    const { server, session } = await withServer(
      { acl: ['user none on >pw ~* +@all -scan'] },
      { username: 'none', password: 'pw' },
    );
    const { list } = await probeCapabilities(session, server.address);
    expect(list.find((one) => one.command === 'SCAN')).toEqual({
      command: 'SCAN',
      status: 'denied',
      lost: 'scan',
      required: true,
    });
    const { warnings } = await readConnectionReport(session);
    expect(warnings).toContainEqual(expect.objectContaining({ code: 'missing_commands', severity: 'danger' }));
  });
});

it('a renamed command is unknown, not denied', async () => {
  const { server, session } = await withServer({ renamed: { MEMORY: '', OBJECT: 'XOBJECT', CONFIG: '', INFO: '' } });
  const { scan, list } = await probeCapabilities(session, server.address);
  expect(status(list)).toMatchObject({
    'MEMORY USAGE': 'unknown_command',
    'OBJECT ENCODING': 'unknown_command',
    'CONFIG GET': 'unknown_command',
    INFO: 'unknown_command',
    TYPE: 'allowed',
  });
  expect(scan).toMatchObject({ memoryUsage: false, objectEncoding: false, objectIdle: false, denied: [] });
  const report = await readConnectionReport(session);
  expect(report).toMatchObject({
    databases: null,
    maxmemoryPolicy: null,
    lazyfreeLazyExpire: null,
    version: expect.any(String),
  });
  expect(report.nodes[0]).toMatchObject({ role: 'master', runId: null, healthy: true });
});

it('a frequency policy gives frequencies instead of idle times', async () => {
  const { server, session } = await withServer({ args: ['--maxmemory-policy', 'allkeys-lfu', '--maxmemory', '100mb'] });
  const { scan, list } = await probeCapabilities(session, server.address);
  expect(scan).toMatchObject({ objectIdle: false, objectFreq: true });
  expect(status(list)).toMatchObject({ 'OBJECT FREQ': 'allowed' });
  expect(status(list)).not.toHaveProperty('OBJECT IDLETIME');
  const { warnings } = await readConnectionReport(session);
  expect(warnings).toContainEqual(
    expect.objectContaining({ code: 'evicting_policy', params: expect.objectContaining({ policy: 'allkeys-lfu' }) }),
  );
});

it('connecting, describing and probing change nothing: no write, no touch, no expiry, no dirty counter', async () => {
  const server = await startRedis();
  stops.push(server.stop);
  const client = server.client();
  await client.config('SET', 'lazyfree-lazy-expire', 'no');
  await client.call('DEBUG', 'SET-ACTIVE-EXPIRE', '0').catch(() => undefined);
  await client.hset('h', 'a', '1');
  const dump = await client.dumpBuffer('h');
  await client.call('RESTORE', 'h', '0', dump!, 'REPLACE', 'IDLETIME', '60');
  await client.set('gone soon', 'v', 'PX', 1);
  await new Promise((resolve) => setTimeout(resolve, 20));
  await client.config('RESETSTAT');
  const before = await client.info('persistence');
  const session = await openSession(toTarget(server), policy);
  await readConnectionReport(session);
  await session.close();
  expect(await client.object('IDLETIME', 'h')).toBeGreaterThanOrEqual(2);
  const dirty = (text: string) => /rdb_changes_since_last_save:(\d+)/.exec(text)?.[1];
  expect(dirty(await client.info('persistence'))).toBe(dirty(before));
  const stats = await client.info('commandstats');
  const commands = [...stats.matchAll(/^cmdstat_([^:]+):/gm)].map((found) => found[1]);
  expect(
    commands.filter((name) => /^(set|del|hset|expire|flush|eval|config\|set|object\|help)/.test(name as string)),
  ).toEqual([]);
});
