import { createServer } from 'node:http';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AppError } from '@/lib/model/errors';
import { Secret } from '@/lib/model/secret';
import type { ConnectionTarget } from '@/lib/model/servers/instance';
import { readConnectionReport } from '@/lib/redis/server/connection-report';
import { type RedisCluster, startCluster } from '@/test/servers/cluster';
import { freePort, until } from '@/test/servers/process';
import { type RedisServer, startRedis } from '@/test/servers/redis';
import { type RogueHandler, type RogueServer, startRogue } from '@/test/servers/rogue';
import { startSentinel } from '@/test/servers/sentinel';
import { toTarget } from '@/test/servers/target';
import { makeCertificates } from '@/test/servers/tls';
import { openSession } from './connect';
import { createDestinationPolicy } from './destinations/destination-policy';

/** Every failure must end with its own code, say what to do, and not contain the secret. */
const policy = createDestinationPolicy({ allow: '', registered: [] });
const SECRET = 'canary-5e7c2f-password';
/** A time limit that is never reached: a test that did reach it would not end in time. */
const NEVER_MS = 600_000;
const SOON_MS = 1000;

async function catchFailure(target: ConnectionTarget, timeoutMs = NEVER_MS): Promise<AppError> {
  const outcome = await openSession(target, policy, { timeoutMs }).then(
    async (session) => {
      try {
        await readConnectionReport(session);
        return null;
      } catch (error) {
        return error;
      } finally {
        await session.close();
      }
    },
    (error) => error,
  );
  expect(outcome).toMatchObject({ name: 'AppError' });
  const error = outcome as AppError;
  expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(SECRET);
  expect(error.message).toMatch(/^[A-Z0-9].*[.?]$/);
  return error;
}

const stops: (() => Promise<unknown>)[] = [];
afterAll(() => Promise.all(stops.map((stop) => stop())));

async function server(wishes: Parameters<typeof startRedis>[0] = {}): Promise<RedisServer> {
  const started = await startRedis(wishes);
  stops.push(started.stop);
  return started;
}
async function rogue(handler?: RogueHandler, options: Parameters<typeof startRogue>[1] = {}): Promise<RogueServer> {
  const started = await startRogue(handler, options);
  stops.push(started.stop);
  return started;
}
const at = (place: { port: number }, more: Partial<ConnectionTarget> = {}) =>
  toTarget({ host: '127.0.0.1', port: place.port, password: SECRET, certificates: undefined }, more);
const tlsOn = { enabled: true, skipVerify: false };

describe('the way there', () => {
  it('nobody listens', async () => {
    expect(await catchFailure(at({ port: await freePort() }))).toMatchObject({ code: 'redis_unreachable' });
  });
  it('the name does not exist', async () => {
    const target = at({ port: 6379 }, { endpoints: [{ host: 'no-such-host.invalid', port: 6379 }] });
    expect(await catchFailure(target)).toMatchObject({ code: 'redis_dns', details: { host: 'no-such-host.invalid' } });
  });
  it('the address may not be dialled', async () => {
    const target = at({ port: 6379 }, { endpoints: [{ host: '169.254.169.254', port: 80 }] });
    expect(await catchFailure(target)).toMatchObject({ code: 'destination_refused' });
  });
  it('a server that accepts and never answers', async () => {
    const silent = await rogue();
    expect(await catchFailure(at(silent), SOON_MS)).toMatchObject({ code: 'redis_timeout' });
    expect(await catchFailure(at(silent, { tls: tlsOn }), SOON_MS)).toMatchObject({ code: 'redis_timeout' });
    expect(silent.received().toString('latin1')).not.toContain(SECRET);
  });
  it('a server that answers PING and then never again', async () => {
    const later = await rogue((command) => (command[0] === 'PING' ? '+PONG\r\n' : null));
    expect(await catchFailure(at(later), SOON_MS)).toMatchObject({ code: 'redis_timeout' });
  });
  it('a server that sends one byte at a time for ever', async () => {
    const drip = await rogue(undefined, {
      onConnection: (socket) => {
        const timer = setInterval(() => socket.write('+'), 100);
        socket.on('close', () => clearInterval(timer));
      },
    });
    expect(await catchFailure(at(drip), SOON_MS)).toMatchObject({ code: 'redis_timeout' });
  });
  it('a server that closes at once, and one that resets', async () => {
    const closing = await rogue(undefined, { onConnection: (socket) => socket.end() });
    const resetting = await rogue(undefined, { onConnection: (socket) => socket.resetAndDestroy() });
    expect(await catchFailure(at(closing))).toMatchObject({ code: 'redis_unreachable' });
    expect(await catchFailure(at(resetting))).toMatchObject({ code: 'redis_unreachable' });
  });
});

describe('something else', () => {
  it('a web server', async () => {
    const web = createServer((_request, response) => response.end('<html>hello</html>'));
    const port = await new Promise<number>((resolve) => {
      web.listen(0, '127.0.0.1', () => resolve((web.address() as { port: number }).port));
    });
    stops.push(() => new Promise((resolve) => web.close(resolve)));
    const error = await catchFailure(at({ port }));
    expect(error).toMatchObject({ code: 'redis_not_redis' });
    expect(error.message).toContain('web server');
  });
  it('an SSH server', async () => {
    const ssh = await rogue(undefined, { onConnection: (socket) => socket.write('SSH-2.0-OpenSSH_9.2\r\n') });
    expect(await catchFailure(at(ssh))).toMatchObject({ code: 'redis_not_redis' });
  });
  it('a server that breaks the protocol after the greeting', async () => {
    const broken = await rogue((command) => (command[0] === 'PING' ? '+PONG\r\n' : 'what?\r\n'));
    expect(await catchFailure(at(broken))).toMatchObject({ code: 'redis_protocol' });
  });
});

describe('signing in', () => {
  let locked: RedisServer;
  beforeAll(async () => {
    locked = await server({
      password: 'right',
      acl: ['user off-duty off >right ~* +@all', 'user bare on >right ~* -@all +info'],
    });
  });
  it('no password', async () => {
    expect(await catchFailure(toTarget(locked, { password: null }))).toMatchObject({ code: 'redis_auth_required' });
  });
  it.each(['auto', '2'] as const)('a wrong password, unknown and disabled users (protocol %s)', async (protocol) => {
    for (const username of [null, 'nobody', 'off-duty']) {
      const error = await catchFailure(toTarget(locked, { username, password: SECRET, protocol }));
      expect(error).toMatchObject({ code: 'redis_wrong_password' });
    }
  });
  it('a password where none is set signs in or says so', async () => {
    const open = await server();
    const session = await openSession(toTarget(open, { password: SECRET }), policy);
    expect(session.nodes[0]?.healthy).toBe(true);
    await session.close();
  });
  it('a server that repeats what it was sent', async () => {
    const echo = await rogue((command) =>
      command[0] === 'PING'
        ? '+PONG\r\n'
        : `-ERR unknown command '${command[0]}', with args beginning with: ${command.slice(1).join(' ')}\r\n`,
    );
    for (const protocol of ['auto', '2'] as const) {
      const error = await catchFailure(at(echo, { protocol }));
      expect(error.message).not.toContain(SECRET);
    }
    const worse = await rogue((command) =>
      command[0] === 'PING' ? '+PONG\r\n' : `-${SECRET} ${command.join(' ')}\r\n`,
    );
    expect((await catchFailure(at(worse))).code).toBe('redis_error');
  });
  it.each([
    ['-DENIED Redis is running in protected mode because protected mode is enabled\r\n', 'redis_auth_required'],
    ['-ERR max number of clients reached\r\n', 'redis_unreachable'],
    ['-LOADING Redis is loading the dataset in memory\r\n', 'redis_loading'],
  ])('%j', async (reply, code) => {
    const server = await rogue(() => reply);
    expect(await catchFailure(at(server))).toMatchObject({ code });
    expect(server.received().toString('latin1')).not.toContain(SECRET);
  });
  it('a replica without its master that serves nothing', async () => {
    const orphan = await rogue((command) =>
      command[0] === 'PING'
        ? '+PONG\r\n'
        : "-MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.\r\n",
    );
    expect(await catchFailure(at(orphan, { password: null }))).toMatchObject({ code: 'redis_unreachable' });
  });
  it('a server that is really loading', async () => {
    const slow = await server({
      args: [
        '--key-load-delay',
        '600',
        '--enable-debug-command',
        'yes',
        '--loading-process-events-interval-bytes',
        '1024',
      ],
    });
    await slow.client().eval("for i=1,20000 do redis.call('SET', 'k'..i, i) end", 0);
    const watching = slow.client();
    await watching.ping();
    // Loading takes 600 µs per key, about twelve seconds in all.
    slow
      .client()
      .call('DEBUG', 'RELOAD')
      .catch(() => undefined);
    await until('it to load', async () => (await watching.info('persistence')).includes('loading:1'));
    expect(await catchFailure(toTarget(slow))).toMatchObject({ code: 'redis_loading' });
  });
});

describe('TLS', () => {
  let secured: RedisServer;
  beforeAll(async () => {
    secured = await server({ tls: true });
  });
  const tls = (more: Partial<ConnectionTarget['tls']> = {}) => ({ tls: { ...toTarget(secured).tls, ...more } });

  it('opens with the CA, and describes', async () => {
    const session = await openSession(toTarget(secured), policy);
    const report = await readConnectionReport(session);
    expect(report.warnings.map((warning) => warning.code)).not.toContain('tls_unverified');
    await session.close();
  });
  it('plain to a TLS port', async () => {
    const error = await catchFailure(toTarget(secured, { tls: { enabled: false, skipVerify: false } }));
    expect(error).toMatchObject({ code: 'redis_tls' });
    expect(error.message).toContain('Turn TLS on');
  });
  it('TLS to a plain port', async () => {
    const plain = await server();
    const error = await catchFailure(at(plain, { tls: tlsOn, password: null }));
    expect(error).toMatchObject({ code: 'redis_tls' });
    expect(error.message).toContain('Turn TLS off');
  });
  it('an unknown CA, a wrong CA, and no verification on purpose', async () => {
    const other = await makeCertificates();
    for (const ca of [null, other.ca]) {
      const error = await catchFailure(toTarget(secured, tls({ ca })));
      expect(error).toMatchObject({ code: 'redis_tls' });
      expect(error.message).toContain('CA certificate');
    }
    const session = await openSession(toTarget(secured, tls({ ca: null, skipVerify: true })), policy);
    expect((await readConnectionReport(session)).warnings.map((warning) => warning.code)).toContain('tls_unverified');
    await session.close();
  });
  it('a certificate for another name, and the server name that fits', async () => {
    const certificates = await makeCertificates({ names: ['redis.example'], addresses: ['192.0.2.1'] });
    const elsewhere = await server({ tls: { certificates } });
    const error = await catchFailure(toTarget(elsewhere));
    expect(error).toMatchObject({ code: 'redis_tls' });
    expect(error.message).toContain('another name');
    const target = toTarget(elsewhere);
    const session = await openSession({ ...target, tls: { ...target.tls, servername: 'redis.example' } }, policy);
    await session.close();
  });
  it('an expired certificate', async () => {
    const notAfter = new Date(Date.now() - 60_000);
    const certificates = await makeCertificates({ notAfter, notBefore: new Date(Date.now() - 86_400_000) });
    const error = await catchFailure(toTarget(await server({ tls: { certificates } })));
    expect(error).toMatchObject({ code: 'redis_tls' });
    expect(error.message).toContain('expired');
  });
  it('a client certificate that is wanted, missing, or not trusted', async () => {
    const strict = await server({ tls: { clientAuth: 'yes' } });
    const target = toTarget(strict);
    await (await openSession(target, policy)).close();
    const bare = await catchFailure({ ...target, tls: { ...target.tls, cert: null }, tlsKey: null });
    expect(bare).toMatchObject({ code: 'redis_tls' });
    expect(bare.message).toContain('client certificate');
    const other = await makeCertificates();
    const stranger = await catchFailure({
      ...target,
      tls: { ...target.tls, cert: other.clientCert },
      tlsKey: new Secret(other.clientKey),
    });
    expect(stranger).toMatchObject({ code: 'redis_tls' });
  });
  it('PEM that is none, and a key that does not belong', async () => {
    const target = toTarget(secured);
    const other = await makeCertificates();
    expect(await catchFailure({ ...target, tls: { ...target.tls, ca: 'not a certificate' } })).toMatchObject({
      code: 'redis_tls',
    });
    expect(await catchFailure({ ...target, tls: { ...target.tls, cert: 'x' } })).toMatchObject({ code: 'redis_tls' });
    expect(await catchFailure({ ...target, tlsKey: new Secret(other.clientKey) })).toMatchObject({ code: 'redis_tls' });
  });
});

describe('registered as something else', () => {
  let plain: RedisServer;
  let cluster: RedisCluster;
  let sentinel: RedisServer;
  beforeAll(async () => {
    plain = await server();
    cluster = await startCluster();
    stops.push(cluster.stop);
    sentinel = await startSentinel(plain, { name: 'known' });
    stops.push(sentinel.stop);
  });
  it('a cluster node as standalone', async () => {
    expect(await catchFailure(toTarget(cluster.nodes[0] as RedisServer))).toMatchObject({ code: 'redis_is_cluster' });
  });
  it('a standalone as cluster', async () => {
    expect(await catchFailure(toTarget(plain, { topology: 'cluster' }))).toMatchObject({ code: 'redis_not_cluster' });
  });
  it('a Sentinel as standalone and as cluster', async () => {
    expect(await catchFailure(toTarget(sentinel))).toMatchObject({ code: 'redis_is_sentinel' });
    expect(await catchFailure(toTarget(sentinel, { topology: 'cluster' }))).toMatchObject({
      code: 'redis_is_sentinel',
    });
  });
  it('a data server as Sentinel', async () => {
    const target = toTarget(plain, { topology: 'sentinel', sentinelName: 'known' });
    expect(await catchFailure(target)).toMatchObject({ code: 'redis_not_sentinel' });
  });
  it('a master name that the Sentinel does not know', async () => {
    const target = toTarget(sentinel, { topology: 'sentinel', sentinelName: 'unknown' });
    const unknown = { code: 'redis_master_unknown', details: { name: 'unknown', masters: ['known'] } };
    expect(await catchFailure(target)).toMatchObject(unknown);
  });
  it('without a name, a Sentinel lists the masters that it watches', async () => {
    const target = toTarget(sentinel, { topology: 'sentinel', sentinelName: null });
    expect(await catchFailure(target)).toMatchObject({
      code: 'redis_master_unknown',
      message: expect.stringContaining('It watches: known.'),
      details: { name: '', masters: ['known'] },
    });
  });
  it('databases that are not there', async () => {
    expect(await catchFailure(toTarget(plain, { databases: [0, 16] }))).toMatchObject({
      code: 'redis_no_database',
      details: { db: 16 },
    });
    const target = toTarget(cluster.nodes, { topology: 'cluster', databases: [1] });
    expect(await catchFailure(target)).toMatchObject({ code: 'redis_no_database', details: { db: 1 } });
    const session = await openSession(toTarget(plain, { databases: [0, 15] }), policy);
    await readConnectionReport(session);
    await session.close();
  });
  it('one seed of a cluster is dead or silent: the others answer', async () => {
    const silent = await rogue();
    const [live] = cluster.nodes;
    const target = toTarget(live as RedisServer, {
      topology: 'cluster',
      endpoints: [
        { host: '127.0.0.1', port: await freePort() },
        { host: '127.0.0.1', port: silent.port },
        { host: '127.0.0.1', port: live?.port as number },
      ],
    });
    // An attempt that is still waiting is abandoned when another one succeeds.
    const session = await openSession(target, policy, { timeoutMs: NEVER_MS });
    expect(session.nodes.length).toBe(3);
    await session.close();
  });
});
