import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSession } from '@/lib/redis/connection/connect';
import { createDestinationPolicy } from '@/lib/redis/connection/destinations/destination-policy';
import { judgeServer } from '@/lib/rules/server/judge-server';
import { startCluster } from '@/test/servers/cluster';
import { type RedisServer, startRedis } from '@/test/servers/redis';
import { array, bulk, startRogue } from '@/test/servers/rogue';
import { toTarget } from '@/test/servers/target';
import { parseCommandStats, parseErrorStats, parseKnownKeyspace, readServerAudit } from './config-audit';

const policy = createDestinationPolicy({ allow: '', registered: [] });
const SECRET = 'canary-Pa55word';

async function readAudit(
  server: RedisServer,
  as: { username?: string; password?: string } = {},
  commands: string[] = [],
) {
  const session = await openSession(toTarget(server, as), policy);
  try {
    return await readServerAudit(session, commands);
  } finally {
    await session.close();
  }
}

describe('what a server tells of itself', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis({
      password: SECRET,
      args: ['--rename-command', 'FLUSHALL', '', '--slowlog-log-slower-than', '0'],
    });
    const client = server.client();
    await client.call('SET', 'a:b', 'x', 'EX', '1000');
    await client.call('SET', 'a:c', 'x');
    await client.call('HSET', 'h:1', 'f', 'v');
    await client.call('KEYS', 'a:*');
    await client.call('MSET', ...Array.from({ length: 600 }, (_, i) => (i % 2 ? 'secret-value' : 'same')));
    await client.call('DEL', 'same');
    await client.call('HGETALL', 'h:1');
    await client.call('ZADD', 'z:1', '0', 'secret-value');
    await client.call('ZRANGEBYLEX', 'z:1', '[secret-value', '+');
    await client.call('HSCAN', 'h:1', '0', 'MATCH', 'secret-value*', 'COUNT', '10');
    await client.call('EVAL', 'return "secret-value"', '1', 'k');
    await client.call('ECHO', 'secret-value');
    await client.call(
      'ACL',
      'SETUSER',
      'looker',
      'on',
      '>looking',
      '~*',
      '-@all',
      '+ping',
      '+hello',
      '+auth',
      '+select',
      '+client|setname',
      '+client|id',
      '+info',
      '+role',
      '+scan',
      '+cluster|slots',
    );
    server.client({ db: 2 });
    await server.client({ db: 2 }).call('SET', 'z', '1');
  });
  afterAll(() => server.stop());

  it('is read whole, without ever holding the password', async () => {
    const audit = await readAudit(server);
    const [node] = audit.nodes;
    expect(node).toMatchObject({
      passwordSet: true,
      protectedMode: expect.any(Boolean),
      tls: false,
      missing: [],
      defaultUser: { enabled: true, noPassword: false, may: { keys: true, flushdb: true } },
      clients: { monitors: 0 },
      memory: { maxBytes: 0, policy: 'noeviction' },
    });
    expect(node!.unknownCommands).toEqual(['flushall']);
    expect(node!.commandStats!.keys!.calls).toBe(1);
    expect(node!.config!['lazyfree-lazy-expire']).toBe('no');
    expect(node!.slowlog!.some((entry) => entry.command === 'HGETALL' && entry.args[0] === 'h:1')).toBe(true);
    expect(node!.keyspace!.map(({ db, keys }) => [db, keys])).toEqual([
      [0, 4],
      [2, 1],
    ]);
    const mset = node!.slowlog!.find((entry) => entry.command === 'MSET');
    expect(mset!.args).toEqual(['same', '... (599 more arguments)']);
    expect(JSON.stringify(audit)).not.toContain('secret-value');
    const findArgs = (command: string) => node!.slowlog!.find((entry) => entry.command === command)?.args;
    expect(findArgs('ZRANGEBYLEX')).toEqual(['z:1', '[…', '+']);
    expect(findArgs('HSCAN')).toEqual(['h:1', '0', 'MATCH', '…', 'COUNT', '10']);
    expect(findArgs('EVAL')).toEqual(['... (3 more arguments)']);
    expect(findArgs('ECHO')).toEqual(['... (1 more arguments)']);
    expect(JSON.stringify(audit)).not.toContain(SECRET);
  });

  it('lists what was refused instead of failing', async () => {
    const [node] = (await readAudit(server, { username: 'looker', password: 'looking' })).nodes;
    expect(node).toMatchObject({ config: null, slowlog: null, latency: null, defaultUser: null, passwordSet: null });
    expect(node!.commandStats).not.toBeNull();
    expect(node!.missing.map((m) => m.command)).toEqual(
      expect.arrayContaining(['config get', 'slowlog get', 'acl getuser', 'latency latest']),
    );
    expect(node!.missing.every((m) => m.reason === 'denied')).toBe(true);
  });
});

describe('what everybody may run', () => {
  it.each([
    // A selector permits a command that the user's own rules refuse.
    [['-@all', '+ping', '(+flushdb ~*)'], { keys: false, flushdb: true, config: false }],
    [['+@all', '-@dangerous', '+keys'], { keys: true, flushdb: false, config: false }],
    [['+@all', '-@write'], { keys: true, flushdb: false, config: true }],
  ])('%j', async (words, may) => {
    const server = await startRedis({ args: ['--rename-command', 'FLUSHALL', ''] });
    try {
      await server.client().call('ACL', 'SETUSER', 'root', 'on', '>rooting', '~*', '&*', '+@all');
      await server.client().call('ACL', 'SETUSER', 'default', 'clearselectors', 'nocommands', ...words);
      const [node] = (await readAudit(server, { username: 'root', password: 'rooting' })).nodes;
      expect(node!.unknownCommands).toEqual(['flushall']);
      expect(node!.defaultUser!.may).toMatchObject(may);
      expect(node!.missing).toEqual([]);
    } finally {
      await server.stop();
    }
  });
});

it('is asked about every command of a list: arguments, subcommands and commands that are not there', async () => {
  const server = await startRedis({ args: ['--rename-command', 'SORT', ''] });
  try {
    const commands = [
      'hgetall',
      'sort',
      'hmgetall',
      'config|set',
      'config|get',
      'config|nothing',
      'client',
      'eval',
      'acl',
    ];
    const words = [
      '+@all',
      '-@dangerous',
      '-@connection',
      '-@scripting',
      '+config|get',
      '+client|kill',
      'resetkeys',
      '~only:*',
    ];
    await server.client().call('ACL', 'SETUSER', 'root', 'on', '>rooting', '~*', '&*', '+@all');
    await server.client().call('ACL', 'SETUSER', 'default', ...words);
    const [node] = (await readAudit(server, { username: 'root', password: 'rooting' }, commands)).nodes;
    expect(node!.unknownCommands).toEqual(['sort', 'hmgetall', 'config|nothing']);
    expect(node!.askedCommands).toEqual(expect.arrayContaining([...commands, 'keys']));
    expect(node!.defaultUser!.may).toMatchObject({
      // It is allowed on some keys.
      hgetall: true,
      'config|get': true,
      'config|set': false,
      client: true,
      eval: false,
      keys: false,
    });
    expect(node!.missing).toEqual([]);
  } finally {
    await server.stop();
  }
});

it('knows how many clients there were, whatever was reset', async () => {
  const server = await startRedis();
  try {
    for (let i = 0; i < 200; i++) {
      const client = server.client();
      await client.ping();
      client.disconnect();
    }
    await server.client().call('CONFIG', 'RESETSTAT');
    const [node] = (await readAudit(server)).nodes;
    expect(node!.clients.receivedTotal).toBeLessThan(10);
    expect(node!.clients.newest!.id).toBeGreaterThan(200);
    expect(node!.clients.newest!.ageSeconds).toBeLessThan(30);
  } finally {
    await server.stop();
  }
});

it('whoever is let in without a password is everybody, also where the ACL is refused', async () => {
  const server = await startRedis();
  try {
    const root = server.client();
    await root.call('ACL', 'SETUSER', 'other', 'on', '>othering', '~*', '&*', '+@all', '-acl');
    await root.call('ACL', 'SETUSER', 'default', '-acl');
    const [node] = (await readAudit(server)).nodes;
    expect(node).toMatchObject({ defaultUser: null, passwordSet: false });
    // A session that signed in cannot know what other clients need.
    const signedIn = (await readAudit(server, { username: 'other', password: 'othering' })).nodes[0]!;
    expect(signedIn).toMatchObject({ defaultUser: null, passwordSet: null });
  } finally {
    await server.stop();
  }
});

describe('what a server of Redis 5 tells of itself', () => {
  const all = [
    'redis_version:5.0.14',
    'redis_mode:standalone',
    'run_id:abc',
    'role:master',
    'used_memory:1',
    'maxmemory:0',
  ];
  const more = ['cmdstat_keys:calls=3,usec=90,usec_per_call=30.00', 'db0:keys=5,expires=1,avg_ttl=0'];
  /** An unknown section gives an empty reply, and there are no users. */
  const answer = ([name, sub]: string[]) => {
    const section = sub?.toLowerCase();
    if (name === 'PING') return '+PONG\r\n';
    if (name === 'CLIENT' && section === 'list') return bulk('id=1 addr=x flags=N\n');
    if (name === 'CLIENT' || name === 'AUTH' || name === 'SELECT') return '+OK\r\n';
    if (name === 'INFO' && section === 'all') return bulk([...all, ...more].join('\r\n'));
    if (name === 'INFO' && section === 'everything') return bulk('');
    if (name === 'INFO') return bulk(all.join('\r\n'));
    if (name === 'COMMAND') return array(Array.from({ length: 7 }, () => array([bulk('x')])));
    if (name === 'CONFIG' || name === 'SLOWLOG' || name === 'LATENCY') return array([]);
    return `-ERR unknown command \`${name}\`, with args beginning with:\r\n`;
  };

  it('is not taken for silence', async () => {
    const rogue = await startRogue(answer);
    try {
      const at = { host: '127.0.0.1', port: rogue.port, password: undefined, certificates: undefined };
      const only = createDestinationPolicy({ allow: `127.0.0.1/32:${rogue.port}`, registered: [] });
      const session = await openSession(toTarget(at), only);
      try {
        const [node] = (await readServerAudit(session, [])).nodes;
        expect(node!.commandStats).toEqual({ keys: { calls: 3, microseconds: 90 } });
        expect(node!.keyspace).toEqual([{ db: 0, keys: 5, expires: 1 }]);
        expect(node).toMatchObject({ version: '5.0.14', defaultUser: null, passwordSet: false, unknownCommands: [] });
      } finally {
        await session.close();
      }
    } finally {
      await rogue.stop();
    }
  });

  it.each([
    ['numbers', ':7\r\n'],
    ['a word', '+OK\r\n'],
    ['numbers in a list', '*2\r\n:1\r\n:2\r\n'],
    ['lists in a list', '*2\r\n*1\r\n:1\r\n*4\r\n:1\r\n:2\r\n:3\r\n:4\r\n'],
    ['nothing in a list', '*1\r\n*-1\r\n'],
  ])('of another shape (%s) is unknown', async (_, odd) => {
    const ODD = new Set(['SLOWLOG', 'LATENCY', 'COMMAND', 'ACL', 'CONFIG', 'CLIENT']);
    const connected = new Set(['SETNAME', 'SETINFO', 'ID', 'NO-EVICT', 'NO-TOUCH']);
    const rogue = await startRogue((words) =>
      ODD.has(words[0]!) && !connected.has(String(words[1]).toUpperCase()) ? odd : answer(words),
    );
    try {
      const at = { host: '127.0.0.1', port: rogue.port, password: undefined, certificates: undefined };
      const only = createDestinationPolicy({ allow: `127.0.0.1/32:${rogue.port}`, registered: [] });
      const session = await openSession(toTarget(at), only);
      try {
        const [node] = (await readServerAudit(session, [])).nodes;
        expect(node).toMatchObject({ slowlog: null, latency: null, defaultUser: null, version: '5.0.14' });
        expect(node!.clients).toMatchObject({ monitors: null, applications: null, newest: null });
      } finally {
        await session.close();
      }
    } finally {
      await rogue.stop();
    }
  });

  it.each([
    ['# Server\r\nredis_version:7.0.15\r\n', null],
    ['# Server\r\nredis_version:7.0.15\r\n\r\n# Keyspace\r\n', []],
    [
      'db0:keys=5\r\ndb1:keys=2,expires=1,avg_ttl=0,subexpiry=0\r\n',
      [
        [0, 5, null],
        [1, 2, 1],
      ],
    ],
  ])('of the databases in %j: a section that is missing is not an empty one', (info, expected) => {
    expect(parseKnownKeyspace(info)?.map(({ db, keys, expires }) => [db, keys, expires]) ?? null).toEqual(expected);
  });

  it('is unknown where no command is told of, not zero', () => {
    expect(parseCommandStats('')).toBeNull();
    expect(parseCommandStats('# Server\r\nredis_version:7.0.15\r\n')).toBeNull();
  });
});

it('counts hits, refusals and the names of clients on a real cluster; before 6.2 refusals are unknown, not zero', async () => {
  const cluster = await startCluster();
  try {
    const node = cluster.nodes[0]!.client();
    const other = cluster.nodes[0]!.client();
    const sentinel = cluster.nodes[0]!.client();
    await other.call('CLIENT', 'SETNAME', 'shop-worker-7');
    await sentinel.call('CLIENT', 'SETNAME', 'sentinel-12ab34cd-cmd');
    // The keys are in two slots, so any node refuses this.
    await expect(node.call('MSET', 'a', '1', 'b', '2')).rejects.toThrow('CROSSSLOT');
    await node.call('CONFIG', 'SET', 'maxmemory', '1');
    // The key is in slot 3300, which the first node serves.
    const own = 'b';
    await expect(node.call('SET', own, 'x')).rejects.toThrow('OOM');
    await node.call('GET', own);
    const session = await openSession(toTarget(cluster.nodes[0]!, { topology: 'cluster' }), policy);
    try {
      const audit = await readServerAudit(session, []);
      const reported = audit.nodes.find(({ traffic }) => (traffic?.errors?.CROSSSLOT ?? 0) > 0)!;
      expect(reported.traffic).toMatchObject({ hits: 0, misses: 1, errors: { CROSSSLOT: 1, OOM: 1 } });
      expect(reported.traffic!.reads).toBeGreaterThan(0);
      expect(reported.clients.applications).toEqual([{ name: 'shop-worker', connections: 1 }]);
      const judged = judgeServer(
        audit,
        new Map([
          ['C26', {}],
          ['C27', {}],
        ]),
        { expiryShare: null },
      );
      expect(judged.map(({ rule, verdict }) => [rule, verdict])).toEqual([
        ['C26', 'violated'],
        ['C27', 'violated'],
      ]);
    } finally {
      await session.close();
    }
  } finally {
    await cluster.stop();
  }
  expect(parseErrorStats('# Stats\r\nkeyspace_hits:1\r\n')).toBeNull();
  expect(parseErrorStats('# Errorstats\r\n')).toEqual({});
});
