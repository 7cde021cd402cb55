import { describe, expect, it } from 'vitest';
import type { NodeAudit, SlowCommand } from '@/lib/model/servers/server-audit';
import en from '@/messages/en/serverAudit.json';
import { catalogue } from '../catalogue';
import { judgeServer } from './judge-server';

/** A healthy server that answered every command. */
const healthy: NodeAudit = {
  address: '10.0.0.1:6379',
  role: 'master',
  version: '7.0.15',
  uptimeSeconds: 10_000,
  commandStats: { get: { calls: 1000, microseconds: 2000 } },
  config: { 'slowlog-log-slower-than': '10000', 'slowlog-max-len': '128' },
  slowlog: [],
  latency: [],
  keyspace: [{ db: 0, keys: 100, expires: 90 }],
  clients: { connected: 3, monitors: 0, receivedTotal: 10, commandsTotal: 10_000, newest: { id: 12, ageSeconds: 0 } },
  traffic: { hits: 100_000, misses: 100, reads: 9900, errors: {} },
  memory: {
    usedBytes: 1,
    maxBytes: 1e9,
    policy: 'allkeys-lru',
    evictedKeys: 0,
    expiredKeys: 0,
    expiredStalePercent: 0,
  },
  defaultUser: { enabled: true, noPassword: false, may: { keys: false, flushall: false, flushdb: false } },
  unknownCommands: [],
  passwordSet: true,
  tls: false,
  protectedMode: true,
  missing: [],
};
const silent: NodeAudit = {
  ...healthy,
  uptimeSeconds: null,
  commandStats: null,
  config: null,
  slowlog: null,
  latency: null,
  keyspace: null,
  clients: { connected: null, monitors: null, receivedTotal: null, commandsTotal: null },
  traffic: { hits: null, misses: null, reads: null, errors: null },
  memory: {
    usedBytes: null,
    maxBytes: null,
    policy: null,
    evictedKeys: null,
    expiredKeys: null,
    expiredStalePercent: null,
  },
  defaultUser: null,
  unknownCommands: null,
  passwordSet: null,
  protectedMode: null,
  missing: [{ command: 'info', reason: 'denied' }],
};
/** A server without users: Redis 5. */
const withoutUsers: Partial<NodeAudit> = {
  version: '5.0.14',
  defaultUser: null,
  passwordSet: null,
  missing: [{ command: 'acl getuser', reason: 'unknown_command' }],
};
const SERVER_RULES = catalogue.filter((rule) => rule.kind === 'server').map((rule) => rule.id);

interface Options {
  params?: Record<string, number | string[]>;
  expiryShare?: number | null;
}
function judge(rule: string, nodes: readonly Partial<NodeAudit>[], { params = {}, expiryShare = null }: Options = {}) {
  const audit = { checkedAt: 0, clustered: false, nodes: nodes.map((node) => ({ ...healthy, ...node })) };
  const [finding] = judgeServer(audit, new Map([[rule, params]]), { expiryShare });
  return finding!;
}
const slow = (command: string, args: string[], microseconds = 20_000): SlowCommand => ({
  at: 1,
  command,
  args,
  microseconds,
});
const memory = (change: Partial<NodeAudit['memory']>) => ({ memory: { ...healthy.memory, ...change } });
const stats = (change: Record<string, [number, number]>) => ({
  commandStats: Object.fromEntries(
    Object.entries(change).map(([name, [calls, microseconds]]) => [name, { calls, microseconds }]),
  ),
});
const anybody = (may: Record<string, boolean>) => ({ defaultUser: { enabled: true, noPassword: false, may } });

describe('server rules', () => {
  it.each(SERVER_RULES)('%s is kept by a healthy server', (rule) => {
    expect(judge(rule, [healthy])).toEqual({ rule, verdict: 'passed', evidence: [], missing: [] });
  });

  it.each(SERVER_RULES)('%s is unknown of a silent server, and says what it would need', (rule) => {
    const finding = judge(rule, [silent]);
    expect(finding.verdict).toBe('unknown');
    expect(finding.missing.length).toBeGreaterThan(0);
    // One healthy node must not make a rule pass for a silent one.
    expect(judge(rule, [healthy, silent]).verdict).toBe('unknown');
  });

  it.each(SERVER_RULES)('%s is unknown where no node was asked', (rule) => {
    expect(judge(rule, []).verdict).toBe('unknown');
  });

  it('judges what is asked, in the order of the catalogue, with the defaults of what is not given', () => {
    const audit = { checkedAt: 0, clustered: false, nodes: [healthy] };
    const found = judgeServer(
      audit,
      new Map([
        ['C16', {}],
        ['C1', {}],
        ['V3', {}],
      ]),
      { expiryShare: null },
    );
    expect(found.map((f) => f.rule)).toEqual(['C1', 'C16']);
  });

  const violated: [string, string, Partial<NodeAudit>, Record<string, number | string>, Options?][] = [
    ['C1', 'KEYS was called', stats({ keys: [3, 900] }), { called: 'KEYS × 3' }],
    [
      'C1',
      'everybody may flush',
      anybody({ keys: false, flushall: true, flushdb: true }),
      { callable: 'FLUSHALL, FLUSHDB' },
    ],
    [
      'C1',
      'called, whatever the ACL says',
      { ...stats({ flushdb: [1, 9] }), defaultUser: null },
      { called: 'FLUSHDB × 1' },
    ],
    ['C2', 'KEYS was called', stats({ keys: [2, 900] }), { calls: 2, microsecondsPerCall: 450 }],
    [
      'C2',
      'a pattern in the slow log, statistics refused',
      { commandStats: null, slowlog: [slow('KEYS', ['user:*'])] },
      { slowCalls: 1, slowestMicroseconds: 20_000, slowest: 'KEYS user:*' },
    ],
    [
      'C3',
      'slow on average',
      stats({ hgetall: [10, 20_000], smembers: [1, 5000], zrange: [5, 100] }),
      { slow: 'SMEMBERS × 1: 5000 µs, HGETALL × 10: 2000 µs' },
    ],
    [
      'C4',
      'everything of two sets',
      {
        slowlog: [
          slow('ZRANGE', ['z', '0', '-1'], 11_000),
          slow('ZREVRANGEBYSCORE', ['z', '+inf', '-inf', 'WITHSCORES']),
        ],
      },
      { slowCalls: 2, slowestMicroseconds: 20_000, slowest: 'ZREVRANGEBYSCORE z +inf -inf WITHSCORES' },
    ],
    [
      'C5',
      'HGETALL',
      { slowlog: [slow('HGETALL', ['h'])] },
      { slowCalls: 1, slowestMicroseconds: 20_000, slowest: 'HGETALL h' },
    ],
    [
      'C6',
      '600 fields',
      { slowlog: [slow('HSET', ['h', '... (1200 more arguments)'])] },
      { maxElements: 600, slowCalls: 1, slowestMicroseconds: 20_000, slowest: 'HSET h ... (1200 more arguments)' },
    ],
    [
      'C7',
      'two databases',
      {
        keyspace: [
          { db: 0, keys: 1, expires: 0 },
          { db: 5, keys: 2, expires: 0 },
        ],
      },
      { databases: '0, 5' },
    ],
    ['C8', 'a tenth are transactions', stats({ multi: [10, 1], get: [90, 1] }), { calls: 10, share: 0.1 }],
    [
      'C10',
      'somebody watches',
      { clients: { ...healthy.clients, monitors: 2 }, ...stats({ monitor: [3, 9] }) },
      { monitors: 2, calls: 3 },
    ],
    [
      'C13',
      'no pool',
      { clients: { connected: 3, monitors: 0, receivedTotal: 100_000, commandsTotal: 250_000 } },
      { commandsPerConnection: 2.5, connectionsPerSecond: 10 },
    ],
    [
      'C13',
      'no pool, and the statistics were reset meanwhile',
      {
        clients: {
          ...healthy.clients,
          receivedTotal: 1000,
          commandsTotal: 2500,
          newest: { id: 99_000, ageSeconds: 100 },
        },
      },
      { commandsPerConnection: 2.5, connectionsPerSecond: 10 },
    ],
    [
      'C15',
      'no password',
      { defaultUser: { enabled: true, noPassword: true, may: {} } },
      { password: 'none', protectedMode: 'yes' },
    ],
    ['C15', 'no TLS where it is demanded', {}, { tls: 'off', protectedMode: 'yes' }, { params: { tls: 1 } }],
    ['C16', 'no limit', memory({ maxBytes: 0, policy: 'noeviction' }), { maxmemoryBytes: 0, policy: 'noeviction' }],
    [
      'C16',
      'few keys can be evicted',
      {
        ...memory({ policy: 'volatile-lru', evictedKeys: 7 }),
        keyspace: [{ db: 0, keys: 100, expires: 5 }],
        config: { 'lazyfree-lazy-eviction': 'no' },
      },
      { policy: 'volatile-lru', expiryShare: 0.05, evictedKeys: 7, lazyfreeLazyEviction: 'no' },
      { expiryShare: 0.9 },
    ],
    [
      'C16',
      'the snapshot knows the share',
      { ...memory({ policy: 'volatile-ttl' }), keyspace: [{ db: 0, keys: 100, expires: null }] },
      { policy: 'volatile-ttl', expiryShare: 0.1 },
      { expiryShare: 0.1 },
    ],
    [
      'C16',
      'a cache that refuses to evict',
      memory({ policy: 'noeviction' }),
      { policy: 'noeviction' },
      { params: { cache: 1 } },
    ],
    ['V9', 'DEL is slow on average', stats({ del: [10, 50_000] }), { calls: 10, microsecondsPerCall: 5000 }],
    [
      'V9',
      'one DEL of one key',
      {
        ...stats({ del: [1000, 30_000] }),
        slowlog: [slow('DEL', ['big'])],
        config: { 'lazyfree-lazy-user-del': 'no' },
      },
      { slowCalls: 1, slowestMicroseconds: 20_000, slowest: 'DEL big', lazyfreeLazyUserDel: 'no' },
    ],
    ['C1', 'no users: what is there everybody may call', withoutUsers, { callable: 'KEYS, FLUSHALL, FLUSHDB' }],
    [
      'C15',
      'no users, and let in without a password',
      { ...withoutUsers, passwordSet: false },
      { password: 'none', protectedMode: 'yes' },
    ],
    [
      'C4',
      'a limit that is none',
      { slowlog: [slow('ZRANGEBYSCORE', ['z', '-inf', '+inf', 'LIMIT', '0', '-1'])] },
      { slowCalls: 1, slowestMicroseconds: 20_000, slowest: 'ZRANGEBYSCORE z -inf +inf LIMIT 0 -1' },
    ],
    [
      'C22',
      'one command per read',
      {
        clients: { ...healthy.clients, commandsTotal: 20_000_000 },
        traffic: { ...healthy.traffic!, reads: 20_000_000 },
      },
      { commandsPerSecond: 2000, commandsPerRead: 1, batchCalls: 0 },
    ],
    [
      'C23',
      'a flood of GET',
      {
        ...stats({ get: [6_000_000, 1] }),
        clients: { ...healthy.clients, commandsTotal: 6_000_000 },
        traffic: { ...healthy.traffic!, reads: 6_000_000 },
      },
      { getCalls: 6_000_000, mgetCalls: 0, getPerSecond: 600 },
    ],
    [
      'C25',
      'half of the reads find nothing',
      { traffic: { ...healthy.traffic!, hits: 9000, misses: 9000 } },
      { hitRatio: 0.5, hits: 9000, misses: 9000 },
    ],
    ['C26', 'writes were refused', { traffic: { ...healthy.traffic!, errors: { OOM: 2 } } }, { oomErrors: 2 }],
    [
      'C27',
      'keys of two slots',
      { traffic: { ...healthy.traffic!, errors: { CROSSSLOT: 2 } } },
      { crossSlotErrors: 2 },
    ],
    ['T8', 'expired keys stay', memory({ expiredStalePercent: 31.5 }), { stalePercent: 31.5 }],
    [
      'T8',
      'a bigkey was freed in a round of expiry',
      {
        latency: [
          { event: 'command', at: 1, lastMs: 400, maxMs: 400 },
          { event: 'expire-cycle', at: 1, lastMs: 3, maxMs: 280 },
        ],
        config: { ...healthy.config, 'lazyfree-lazy-expire': 'no' },
      },
      { expireCycleMs: 280, lazyfreeLazyExpire: 'no' },
    ],
  ];
  it.each(violated)('%s is violated: %s', (rule, _why, facts, figures, options) => {
    const other = { address: '10.0.0.2:6379' };
    const finding = judge(rule, [facts, options ? facts : other], options);
    expect(finding.verdict).toBe('violated');
    expect(finding.evidence[0]).toEqual({ address: healthy.address, figures });
    if (!options) expect(finding.evidence).toHaveLength(1);
    for (const name of Object.keys(figures)) expect(en.figures).toHaveProperty(name);
  });
  it('has a violated case for every server rule', () => {
    expect(new Set(violated.map(([rule]) => rule))).toEqual(new Set(SERVER_RULES));
  });

  it.each([
    [
      'C1',
      'renamed commands',
      { ...anybody({ keys: true, flushall: true, flushdb: true }), unknownCommands: ['keys', 'flushall', 'flushdb'] },
    ],
    [
      'C1',
      'renamed commands on a server without users',
      { ...withoutUsers, unknownCommands: ['keys', 'flushall', 'flushdb'] },
    ],
    ['C1', 'a default user that is off', { defaultUser: { enabled: false, noPassword: true, may: {} } }],
    ['C3', 'quick calls', stats({ hgetall: [1000, 1000] })],
    [
      'C4',
      'a page',
      { slowlog: [slow('ZRANGE', ['z', '0', '99']), slow('ZRANGEBYSCORE', ['z', '-inf', '+inf', 'LIMIT', '0', '10'])] },
    ],
    ['C4', 'settings refused, but the log holds something', { config: null, slowlog: [slow('GET', ['a'])] }],
    ['C5', 'a log of every command', { slowlog: [slow('HGETALL', ['h'], 40)] }],
    ['C4', 'one open end', { slowlog: [slow('ZRANGEBYSCORE', ['z', '5', '+inf'])] }],
    ['C4', 'scores from 0 to -1', { slowlog: [slow('ZRANGEBYSCORE', ['z', '0', '-1'])] }],
    ['C6', '500 pairs', { slowlog: [slow('MSET', ['a', '... (999 more arguments)'])] }],
    ['C6', 'a script with many arguments', { slowlog: [slow('EVAL', ['x', '... (5000 more arguments)'])] }],
    [
      'C7',
      'an empty second database',
      {
        keyspace: [
          { db: 0, keys: 1, expires: 0 },
          { db: 5, keys: 0, expires: 0 },
        ],
      },
    ],
    ['C10', 'past watchers', stats({ monitor: [4, 9] })],
    ['C10', 'never called, clients not listed', { clients: { ...healthy.clients, monitors: null } }],
    ['C13', 'few connections', { clients: { ...healthy.clients, receivedTotal: 100, commandsTotal: 200 } }],
    [
      'C13',
      'few numbered clients, however few were counted since a reset',
      { clients: { ...healthy.clients, receivedTotal: 4, commandsTotal: 8, newest: { id: 40_000, ageSeconds: 0 } } },
    ],
    [
      'C13',
      'many connections with many commands each, since a reset',
      {
        clients: { ...healthy.clients, receivedTotal: 300, commandsTotal: 90_000, newest: { id: 1e6, ageSeconds: 0 } },
      },
    ],
    [
      'C13',
      'many commands per connection, clients not listed',
      { clients: { ...healthy.clients, receivedTotal: 300, commandsTotal: 90_000, newest: null } },
    ],
    ['C15', 'a default user that is off', { defaultUser: { enabled: false, noPassword: true, may: {} } }],
    ['T8', 'a full round of 25 ms', { latency: [{ event: 'expire-cycle', at: 1, lastMs: 26, maxMs: 31 }] }],
    ['T8', 'LATENCY is refused', { latency: null }],
    ['C16', 'volatile, and most keys expire', memory({ policy: 'volatile-lru' })],
    ['C16', 'volatile, and no keys', { ...memory({ policy: 'volatile-lru' }), keyspace: [] }],
    [
      'C16',
      'volatile, nothing told of an empty database',
      {
        ...memory({ policy: 'volatile-lru' }),
        keyspace: [
          { db: 0, keys: 5, expires: 5 },
          { db: 1, keys: 0, expires: null },
        ],
      },
    ],
    [
      'V9',
      'a slow DEL of very many keys',
      { ...stats({ del: [1000, 30_000] }), slowlog: [slow('DEL', ['a', '... (4999 more arguments)'])] },
    ],
  ] as [string, string, Partial<NodeAudit>][])('%s is kept: %s', (rule, _why, facts) => {
    expect(judge(rule, [facts])).toEqual({ rule, verdict: 'passed', evidence: [], missing: [] });
  });

  it.each([
    ['C1', 'statistics are clean, the ACL is refused', { defaultUser: null }, ['acl getuser']],
    ['C1', 'no users, and renamed or not is not told', { ...withoutUsers, unknownCommands: null }, ['acl getuser']],
    ['C1', 'ACL itself is renamed', { ...withoutUsers, version: '7.0.15' }, ['acl getuser']],
    ['C15', 'no users, and a password was sent', withoutUsers, ['acl getuser']],
    ['C1', 'the ACL is not certain', anybody({ keys: false, flushall: false }), ['acl dryrun']],
    ['C2', 'statistics refused', { commandStats: null }, ['info']],
    ['C4', 'a slow log that is off', { config: { 'slowlog-log-slower-than': '-1' } }, []],
    ['C5', 'a slow log that holds nothing', { config: { 'slowlog-max-len': '0' } }, []],
    ['C4', 'an empty slow log that may be off', { config: null }, ['config get']],
    ['C5', 'an empty slow log that may be off', { config: null }, ['config get']],
    ['C6', 'an empty slow log of a server without such a setting', { config: {} }, []],
    ['V9', 'an empty slow log that may be off', { config: null, ...stats({ del: [5, 50] }) }, ['config get']],
    ['C6', 'slow log refused', { slowlog: null }, ['slowlog get']],
    [
      'C10',
      'it was called, clients not listed',
      { clients: { ...healthy.clients, monitors: null }, ...stats({ monitor: [1, 9] }) },
      ['client list'],
    ],
    ['C15', 'ACL refused', { defaultUser: null, passwordSet: null }, ['acl getuser']],
    ['C16', 'volatile, and the share is unknown', { ...memory({ policy: 'volatile-lru' }), keyspace: null }, ['info']],
    [
      'C16',
      'volatile, and how many keys expire is not told',
      { ...memory({ policy: 'volatile-lru' }), keyspace: [{ db: 0, keys: 5, expires: null }] },
      ['info'],
    ],
  ] as [string, string, Partial<NodeAudit>, string[]][])('%s is unknown: %s', (rule, _why, facts, missing) => {
    expect(judge(rule, [facts])).toEqual({
      rule,
      verdict: 'unknown',
      evidence: [],
      missing,
      ...(missing.length === 0 && { because: ['slowlog'] }),
    });
  });

  it.each([
    [
      'a reset a moment ago',
      { receivedTotal: 2, commandsTotal: 90, newest: { id: 1e6, ageSeconds: 0 } },
      ['reset'],
      [],
    ],
    ['more clients than were counted', { receivedTotal: 2, commandsTotal: 90, newest: null }, ['reset'], []],
    ['clients not listed', { receivedTotal: 500, commandsTotal: 900, newest: null }, undefined, ['client list']],
    ['noted before anybody asked', { receivedTotal: 500, commandsTotal: 900, newest: undefined }, ['notAsked'], []],
  ])('C13 is unknown: %s', (_why, clients, because, missing) => {
    const found = judge('C13', [{ clients: { ...healthy.clients, ...clients } }]);
    expect(found).toEqual({ rule: 'C13', verdict: 'unknown', evidence: [], missing, ...(because && { because }) });
  });

  it.each([
    // No permission would help, because the command was not asked about.
    [{}, { verdict: 'unknown', missing: [], because: ['notAsked'] }],
    [{ askedCommands: ['keys', 'sort', 'config|set'] }, { verdict: 'unknown', missing: ['acl dryrun'] }],
    [
      { askedCommands: ['keys', 'sort', 'config|set'], unknownCommands: null },
      { verdict: 'unknown', missing: ['acl dryrun', 'command info'] },
    ],
    [
      { askedCommands: ['sort', 'config|set'], unknownCommands: ['sort', 'config|set'] },
      { verdict: 'passed', missing: [] },
    ],
    [anybody({ sort: false, 'config|set': false }), { verdict: 'passed', missing: [] }],
    [
      { ...anybody({ sort: false, 'config|set': false }), ...stats({ config: [4, 9] }) },
      { verdict: 'unknown', missing: [], because: ['subcommands'] },
    ],
    [anybody({ sort: true, 'config|set': true }), { verdict: 'violated', figures: { callable: 'SORT, CONFIG SET' } }],
    [
      { ...anybody({ sort: false, 'config|set': false }), ...stats({ 'config|set': [4, 9], 'config|get': [7, 9] }) },
      { verdict: 'violated', figures: { called: 'CONFIG SET × 4' } },
    ],
  ] as [Partial<NodeAudit>, { verdict: string; missing?: string[]; because?: string[]; figures?: object }][])(
    'C1 with a list of its own: %j',
    (facts, { figures, ...expected }) => {
      const found = judge('C1', [facts], { params: { commands: ['SORT', 'config  set'] } });
      expect(found).toMatchObject(expected);
      if (figures) expect(found.evidence[0]?.figures).toEqual(figures);
    },
  );

  it('is violated by one node although another is silent, and says both', () => {
    const finding = judge('C2', [stats({ keys: [1, 10] }), { ...silent, address: '10.0.0.2:6379' }]);
    expect(finding.verdict).toBe('violated');
    expect(finding.evidence.map((e) => e.address)).toEqual(['10.0.0.1:6379']);
    expect(finding.missing).toEqual(['info']);
  });
});

it('T8 asks for a permission only where INFO was refused: before 4.0 the server does not count stale keys', () => {
  const memory = { ...healthy.memory, expiredStalePercent: null };
  const old = judge('T8', [{ version: '3.2.13', memory }]);
  expect(old).toMatchObject({ verdict: 'unknown', missing: [], because: ['version'] });
  expect(judge('T8', [silent])).toMatchObject({ verdict: 'unknown', missing: ['info'] });
});

describe('traffic', () => {
  const busy = (calls: Record<string, [number, number]>, reads: number | null) => ({
    ...stats(calls),
    uptimeSeconds: 100,
    clients: { ...healthy.clients, commandsTotal: 500_000 },
    traffic: { ...healthy.traffic!, reads },
  });
  it('C22: many commands, none in a batch and none in a pipeline', () => {
    expect(judge('C22', [busy({ get: [490_000, 1], mget: [10, 1] }, 500_000)])).toMatchObject({
      verdict: 'violated',
      evidence: [{ figures: { commandsPerSecond: 5000, commandsPerRead: 1, batchCalls: 10 } }],
    });
    expect(judge('C22', [busy({ get: [490_000, 1] }, 250_000)]).verdict).toBe('passed');
    expect(judge('C22', [busy({ get: [400_000, 1], mget: [5000, 1] }, 500_000)]).verdict).toBe('passed');
    expect(judge('C22', [busy({ get: [1, 1] }, 500_000)], { params: { perSecond: 5000 } }).verdict).toBe('passed');
    // Before 6.0 reads are not counted, so the result is unknown.
    expect(judge('C22', [busy({ get: [1, 1] }, null)])).toMatchObject({ verdict: 'unknown', because: ['version'] });
    expect(judge('C22', [{ ...busy({ get: [1, 1] }, 1), traffic: undefined }]).because).toEqual(['notAsked']);
  });
  it('C23: a flood of GET beside hardly any MGET', () => {
    const flood = busy({ get: [490_000, 1], mget: [10, 1] }, 500_000);
    expect(judge('C23', [flood]).evidence[0]!.figures).toEqual({
      getCalls: 490_000,
      mgetCalls: 10,
      getPerSecond: 4900,
    });
    expect(judge('C23', [busy({ get: [490_000, 1], mget: [4900, 1] }, 500_000)]).verdict).toBe('passed');
    expect(judge('C23', [busy({ get: [490_000, 1] }, 100_000)]).verdict).toBe('passed');
    expect(judge('C23', [{ ...flood, uptimeSeconds: 1_000_000 }]).verdict).toBe('passed');
    // Before 6.0 it is unknown whether clients pipeline, and clients that pipeline need no MGET.
    expect(judge('C23', [{ ...flood, version: '5.0.14', traffic: { ...flood.traffic, reads: null } }])).toMatchObject({
      verdict: 'unknown',
      because: ['version'],
      missing: [],
    });
    expect(judge('C23', [{ ...flood, traffic: undefined }])).toMatchObject({
      verdict: 'unknown',
      because: ['notAsked'],
    });
    const uncounted = { ...flood, clients: { ...flood.clients, commandsTotal: null } };
    expect(judge('C23', [uncounted])).toMatchObject({ verdict: 'unknown', missing: ['info'] });
    // If GET is rare, or MGET is used too, the rule passes without that figure.
    expect(judge('C23', [busy({ get: [400, 1] }, null)]).verdict).toBe('passed');
    expect(judge('C23', [busy({ get: [490_000, 1], mget: [4900, 1] }, null)]).verdict).toBe('passed');
  });
  it('C25: reads that find nothing', () => {
    const of = (hits: number | null, misses: number | null) =>
      judge('C25', [{ traffic: { ...healthy.traffic!, hits, misses } }]);
    expect(of(7999, 2001).evidence[0]!.figures).toEqual({ hitRatio: 0.7999, hits: 7999, misses: 2001 });
    expect(of(8000, 2000).verdict).toBe('passed');
    expect(of(10, 90).verdict).toBe('passed');
    expect(of(null, 5)).toMatchObject({ verdict: 'unknown', missing: ['info'] });
  });
  it.each([
    ['C26', 'OOM', 'oomErrors'],
    ['C27', 'CROSSSLOT', 'crossSlotErrors'],
  ])('%s: commands refused with %s, unknown before 6.2', (rule, error, figure) => {
    const of = (errors: Record<string, number> | null, version: string) =>
      judge(rule, [{ version, traffic: { ...healthy.traffic!, errors } }]);
    expect(of({ [error]: 3, ERR: 9 }, '7.0.15').evidence[0]!.figures).toEqual({ [figure]: 3 });
    expect(of({ ERR: 9 }, '6.2.0').verdict).toBe('passed');
    // The server stopped counting, so an error without a count may have occurred.
    for (const gaveUp of ['ERRORSTATS_DISABLED', 'ERRORSTATS_OVERFLOW']) {
      expect(of({ [gaveUp]: 1 }, '7.4.1')).toMatchObject({ verdict: 'unknown', because: ['errorstats'], missing: [] });
      expect(of({ [gaveUp]: 1, [error]: 3 }, '7.4.1').evidence[0]!.figures).toEqual({ [figure]: 3 });
    }
    expect(of(null, '6.0.16')).toMatchObject({ verdict: 'unknown', because: ['version'], missing: [] });
    expect(of(null, '7.0.15')).toMatchObject({ verdict: 'unknown', missing: ['info'] });
    expect(judge(rule, [{ traffic: undefined }])).toMatchObject({ verdict: 'unknown', because: ['notAsked'] });
  });
});

it('says of a node that was not read that it was not, and asks for no permission', () => {
  const unread: NodeAudit = {
    ...silent,
    address: '10.0.0.2:6379',
    missing: [{ command: 'info', reason: 'unreachable' }],
  };
  const rules = new Map(catalogue.map((rule) => [rule.id, {}]));
  const audit = { checkedAt: 1, clustered: true, nodes: [healthy, unread] };
  const unknown = judgeServer(audit, rules, { expiryShare: null }).filter(({ verdict }) => verdict === 'unknown');
  expect(unknown.length).toBeGreaterThan(10);
  expect(unknown.flatMap(({ rule, missing }) => missing.map((command) => [rule, command]))).toEqual([]);
  expect(unknown.filter((finding) => finding.unread?.join() === unread.address).length).toBeGreaterThan(10);
});
