import { readdirSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { buildAclRules } from '@/lib/model/servers/acl-users';
import { startCluster } from '../servers/cluster';
import { type RedisServer, startRedis } from '../servers/redis';
import { startReplica } from '../servers/replica';
import { mixedKey, pour, seedMixed } from '../servers/seed';
import { startSentinel } from '../servers/sentinel';
import { identities, scanWhole, toEndpoint } from './scan';

const open: { stop(): Promise<void> }[] = [];
const started = <T extends { stop(): Promise<void> }>(server: T): T => {
  open.unshift(server);
  return server;
};
afterEach(async () => {
  for (const server of open.splice(0)) await server.stop();
});

const SCAN_USER = (extra = '') =>
  `user colonnade_scan reset on >look ~* -@all ${buildAclRules('scan', { flavor: 'redis', version: '7.0' })} ${extra}`;

const seeded = (n: number) =>
  Array.from({ length: n }, (_, i) => `0/${Buffer.from(mixedKey(i).key).toString('hex')}`).sort();

describe('a whole keyspace, whatever it lives on', () => {
  it('reads every database of a standalone server, and nothing is written', async () => {
    const server = started(await startRedis({ databases: 32 }));
    await seedMixed(server.client(), 3000);
    await pour(server.client({ db: 7 }), [
      ['SET', 'seven:1', 'x'],
      ['SET', 'user:1', 'y'],
    ]);
    await pour(server.client({ db: 31 }), [['SET', 'user:1', 'z']]);
    const client = server.client();
    await client.config('RESETSTAT');
    const { manifest, rows, dir } = await scanWhole([server]);
    expect(identities(rows)).toEqual(
      [...seeded(3000), `7/${hex('seven:1')}`, `7/${hex('user:1')}`, `31/${hex('user:1')}`].sort(),
    );
    expect(manifest).toMatchObject({
      state: 'sealed',
      keys: 3003,
      coverage: { partial: false, keysAtStart: 3003, keysAtEnd: 3003, skipped: [] },
    });
    expect(readdirSync(dir).filter((f) => f.startsWith('part-'))).toEqual([]);
    const commands = await client.info('commandstats');
    expect(commands).not.toMatch(
      /cmdstat_(set|del|unlink|expire|pexpire|persist|rename|hset|eval|flush\w*|config\|set)[:|]/,
    );
    const readonly = manifest.cost;
    expect(readonly.commands).toBeGreaterThan(3003 * 3);
    expect(readonly.serverMs).toBeGreaterThan(0);
  });

  it('reads only the databases that were asked for, and refuses one that does not exist', async () => {
    const server = started(await startRedis({ databases: 4 }));
    await pour(server.client({ db: 2 }), [['SET', 'two', 'x']]);
    await pour(server.client(), [['SET', 'zero', 'x']]);
    expect((await scanWhole([server], { options: { databases: [2] } })).rows.map((r) => r.name)).toEqual(['two']);
    await expect(scanWhole([server], { options: { databases: [9] } })).rejects.toMatchObject({
      code: 'redis_no_database',
    });
  });

  it('reads only what begins with a prefix, taken literally', async () => {
    const server = started(await startRedis());
    await pour(server.client(), [
      ['SET', 'a*b:1', 'x'],
      ['SET', 'aXb:1', 'x'],
      ['SET', 'a*c', 'x'],
      ['SET', '[z]:1', 'x'],
    ]);
    expect((await scanWhole([server], { options: { match: 'a*b' } })).rows.map((r) => r.name)).toEqual(['a*b:1']);
    expect((await scanWhole([server], { options: { match: '[z]' } })).rows.map((r) => r.name)).toEqual(['[z]:1']);
  });

  it('reads all nodes of a cluster, each key once, with its slot', async () => {
    const cluster = started(await startCluster({ masters: 3 }));
    const client = cluster.client();
    await seedMixed(client, 6000);
    const { manifest, rows } = await scanWhole(cluster.masters.slice(0, 1), { input: { topology: 'cluster' } });
    expect(identities(rows)).toEqual(seeded(6000));
    expect(manifest.nodes).toHaveLength(3);
    for (const row of rows.slice(0, 200)) expect(row.slot).toBe(await client.cluster('KEYSLOT', row.name));
    for (const row of rows) {
      const ranges = manifest.nodes[row.node]?.slots ?? [];
      expect(ranges.some(([from, to]) => row.slot >= from && row.slot <= to)).toBe(true);
    }
  });

  it('prefers a replica and leaves the master alone', async () => {
    const master = started(await startRedis());
    await seedMixed(master.client(), 2000);
    const replica = started(await startReplica(master));
    await master.client().config('RESETSTAT');
    const { manifest, rows } = await scanWhole([master]);
    expect(identities(rows)).toEqual(seeded(2000));
    expect(manifest.nodes.map((n) => n.address)).toEqual([replica.address]);
    expect(manifest.coverage.idleFrom).toBe('replica');
    // One harmless SCAN checks whether it is allowed; the keys are read from another server.
    expect(await master.client().info('commandstats')).toMatch(/cmdstat_scan:calls=1,/);
    expect((await scanWhole([master], { options: { target: 'primary' } })).manifest.nodes[0]?.address).toBe(
      master.address,
    );
  });

  it('finds master and replica through Sentinel', async () => {
    const master = started(await startRedis({ password: 'pw' }));
    await seedMixed(master.client(), 1000);
    const replica = started(await startReplica(master));
    const sentinel = started(await startSentinel(master, { name: 'main', replicas: 1 }));
    const input = {
      topology: 'sentinel',
      sentinelName: 'main',
      endpoints: [toEndpoint(sentinel)],
      secrets: { password: 'pw' },
    };
    const { manifest, rows } = await scanWhole([sentinel], { input });
    expect(identities(rows)).toEqual(seeded(1000));
    expect(manifest.nodes.map((n) => n.address)).toEqual([replica.address]);
  });

  it('speaks TLS with a client certificate', async () => {
    const server = started(await startRedis({ tls: { clientAuth: 'yes' } }));
    await seedMixed(server.client(), 500);
    const { certificates } = server as RedisServer & { certificates: NonNullable<RedisServer['certificates']> };
    const input = {
      tls: { enabled: true, ca: certificates.ca, cert: certificates.clientCert },
      secrets: { tlsKey: certificates.clientKey },
    };
    expect(identities((await scanWhole([server], { input })).rows)).toEqual(seeded(500));
  });

  it('works with the least-privilege user, all facts known', async () => {
    const server = started(await startRedis({ acl: [SCAN_USER()] }));
    await seedMixed(server.client(), 1000);
    const { manifest, rows } = await scanWhole([server], {
      input: { username: 'colonnade_scan', secrets: { password: 'look' } },
    });
    expect(identities(rows)).toEqual(seeded(1000));
    expect(manifest.coverage.unknownFacts).toMatchObject({ type: 0, ttl: 0, bytes: 0, encoding: 0 });
  });

  it('says what is missing where commands are denied or renamed, and never calls it 0', async () => {
    const server = started(
      await startRedis({
        acl: [SCAN_USER('-memory|usage -object|encoding -object|idletime')],
        renamed: { PEXPIRETIME: '' },
      }),
    );
    await seedMixed(server.client(), 400);
    const { manifest, rows } = await scanWhole([server], {
      input: { username: 'colonnade_scan', secrets: { password: 'look' } },
    });
    expect(identities(rows)).toEqual(seeded(400));
    expect(rows.every((row) => row.bytes === null)).toBe(true);
    expect(rows.some((row) => row.expireAt !== null)).toBe(true);
    expect(manifest.coverage.commandsDenied.join(' ')).toMatch(/MEMORY/i);
    expect(manifest.coverage.unknownFacts).toMatchObject({ bytes: 400, encoding: 400, ttl: 0 });
  });

  it('fails clearly where SCAN itself is denied', async () => {
    const server = started(await startRedis({ acl: [SCAN_USER('-scan')] }));
    await expect(
      scanWhole([server], { input: { username: 'colonnade_scan', secrets: { password: 'look' } } }),
    ).rejects.toMatchObject({ code: 'redis_no_permission' });
  });

  it('seals an empty keyspace as an empty snapshot', async () => {
    const server = started(await startRedis());
    const { manifest, rows } = await scanWhole([server]);
    expect(rows).toEqual([]);
    expect(manifest).toMatchObject({ keys: 0, state: 'sealed', coverage: { partial: false } });
  });
});

const hex = (text: string) => Buffer.from(text).toString('hex');
