import { afterAll, describe, expect, it } from 'vitest';
import { openSession } from '@/lib/redis/connection/connect';
import { createDestinationPolicy } from '@/lib/redis/connection/destinations/destination-policy';
import { probeCapabilities } from '@/lib/redis/server/capabilities';
import { readConnectionReport } from '@/lib/redis/server/connection-report';
import { identities, scanWhole } from '../scans/scan';
import { startLyingProxy } from '../servers/lying-proxy';
import { type RedisServer, startRedis } from '../servers/redis';
import { pour } from '../servers/seed';
import { toTarget } from '../servers/target';
import { serverVersions } from '../servers/versions';

/**
 * Servers, proxies and cloud services that refuse with texts of their own: a refusal is recognized whatever its text
 * is.
 */

const policy = createDestinationPolicy({ allow: '', registered: [] });
const stops: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const stop of stops) await stop();
});

async function started(options: Parameters<typeof startRedis>[0] = {}): Promise<RedisServer> {
  const server = await startRedis(options);
  stops.unshift(server.stop);
  return server;
}

async function opened(server: { host: string; port: number }, more: Parameters<typeof toTarget>[1] = {}) {
  const session = await openSession(
    toTarget({ ...server, password: undefined, certificates: undefined }, more),
    policy,
  );
  stops.unshift(() => session.close());
  return session;
}

describe('a user whose name speaks of keys', () => {
  it.each(['key-reader', 'redis.keys'])('%s lacks what a user of another name would lack', async (name) => {
    const acl = ['reader', name].map(
      (user) => `user ${user} on >pw ~* -@all +ping +hello +auth +select +info +scan +type +pttl +dbsize +client`,
    );
    // The newest version, because only since 7.2 a refusal names the user.
    const server = await started({ acl, binary: serverVersions(602).at(-1)!.binary });
    const askedAs = async (username: string) => {
      const session = await opened(server, { username, password: 'pw' });
      return (await probeCapabilities(session, server.address)).list;
    };
    const list = await askedAs(name);
    expect(list).toEqual(await askedAs('reader'));
    expect(list.filter(({ status }) => status === 'denied').length).toBeGreaterThan(8);
  });
});

const WORDS = [
  (name: string) => `-ERR Command is not available: '${name}'. See https://example.com/commands\r\n`,
  (name: string) => `-ERR command '${name}' not support for normal user\r\n`,
  (name: string) => `-ERR unsupported command '${name}'\r\n`,
  (name: string) => `-${name.toLowerCase()} command not supported\r\n`,
];

describe.each(WORDS.map((words) => [words('X').trim(), words] as const))(
  'a proxy that refuses with %s',
  (_text, words) => {
    const behind = async (...refused: string[]) => {
      const server = await started();
      await pour(
        server.client(),
        Array.from({ length: 300 }, (_, i) => ['SET', `key:${i}`, 'x', 'EX', '5000']),
      );
      const proxy = await startLyingProxy(server.port);
      stops.unshift(proxy.stop);
      proxy.lie = ([first, both]) =>
        refused.includes(first) || refused.includes(both) ? { reply: words(first), withheld: true } : null;
      return proxy;
    };

    it('facts: they are denied, and another way is taken where there is one', async () => {
      const proxy = await behind('MEMORY', 'OBJECT', 'PEXPIRETIME');
      const { warnings } = await readConnectionReport(await opened(proxy));
      const missing = warnings.find(({ code }) => code === 'missing_commands');
      expect(missing?.params.commands).toContain('MEMORY USAGE');
      const { rows, manifest } = await scanWhole([proxy as unknown as RedisServer]);
      expect(rows).toHaveLength(300);
      expect(rows.every(({ expireAt, bytes, type }) => expireAt !== null && bytes === null && type === 'string')).toBe(
        true,
      );
      expect(manifest.coverage.commandsDenied).toEqual(
        expect.arrayContaining(['MEMORY USAGE', 'OBJECT ENCODING', 'PEXPIRETIME']),
      );
    });

    it('INFO and HELLO: the instance is read all the same', async () => {
      const proxy = await behind('INFO', 'HELLO');
      const report = await readConnectionReport(await opened(proxy));
      expect(report.capabilities).toContainEqual(expect.objectContaining({ command: 'INFO', status: 'denied' }));
      expect((await scanWhole([proxy as unknown as RedisServer])).rows).toHaveLength(300);
    });

    it('SCAN: the test warns of it, and the scan names the command and the place', async () => {
      const proxy = await behind('SCAN');
      const { warnings } = await readConnectionReport(await opened(proxy));
      expect(warnings).toContainEqual(expect.objectContaining({ code: 'missing_commands', severity: 'danger' }));
      await expect(scanWhole([proxy as unknown as RedisServer])).rejects.toMatchObject({
        code: 'redis_no_permission',
        message: expect.stringContaining(`${proxy.address} does not permit SCAN`),
      });
    });
  },
);

const valkey = serverVersions(602).findLast(({ valkey, number }) => valkey && number >= 901)?.binary;
describe.skipIf(valkey === undefined)('a user with rights on some databases', () => {
  it.each([
    { databases: [0, 2], skipped: [1, 3] },
    { databases: [3], skipped: [0, 1, 2] },
  ])('reads $databases and says that the others were left out', async ({ databases, skipped }) => {
    const acl = [`user some on >pw ~* +@all resetdbs db=${databases.join(',')}`];
    const server = await started({ acl, ...(valkey && { binary: valkey }) });
    for (const db of [0, 1, 2, 3]) await server.client({ db }).set(`key:${db}`, 'x', 'EX', 5000);
    const session = await opened(server, { username: 'some', password: 'pw' });
    const { warnings, capabilities } = await readConnectionReport(session);
    expect(warnings).toContainEqual(
      expect.objectContaining({ code: 'databases_denied', params: { databases: skipped.join(', ') } }),
    );
    expect(capabilities.find(({ command }) => command === 'TYPE')).toMatchObject({ status: 'allowed' });
    const { rows, manifest } = await scanWhole([server], {
      input: { username: 'some', secrets: { password: 'pw' } },
    });
    expect(identities(rows)).toHaveLength(databases.length);
    expect(rows.map(({ db }) => db).sort()).toEqual(databases);
    expect(rows.every(({ type, bytes, expireAt }) => type !== null && bytes !== null && expireAt !== null)).toBe(true);
    expect(manifest.coverage).toMatchObject({
      partial: true,
      partialReasons: [],
      commandsDenied: [],
      skipped: skipped.map((db) => ({ address: server.address, db, reason: 'redis_no_permission' })),
    });
  });
});
