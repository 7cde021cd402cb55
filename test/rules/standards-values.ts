import type { NodeAudit } from '@/lib/model/servers/server-audit';
import type { AdHocRow } from '@/lib/snapshots/query/ad-hoc-rows';
import type { Preset } from './standards-examples';

/**
 * Examples of the standards for values, expiry and commands, evaluated with every preset: which rules except those
 * about names are violated. Servers free expired keys in the main thread here, which is the default.
 */
export const VALUES_AS_OF = 1_790_000_000_000;
const NEVER = { expireAt: null, expiryKnown: true };
const inSeconds = (seconds: number) => ({ expireAt: VALUES_AS_OF + seconds * 1000, expiryKnown: true });
export type Violated = Record<Preset, string>;
export const violatedUnder = (violated: Partial<Violated>): Violated => ({
  S0: '',
  S1: '',
  S2: '',
  S3: '',
  S4: '',
  default: '',
  ...violated,
});
const HOUR = inSeconds(3600);

export type ValueExample = [of: string, row: Omit<AdHocRow, 'name'> & { name?: string }, violated: Violated];
export const valueExamples: readonly ValueExample[] = [
  [
    'S1, S3: a list of 2,000,000 elements',
    { type: 'list', length: 2_000_000, bytes: 40_000_000, encoding: 'quicklist', ...HOUR },
    violatedUnder({ S1: 'V3 V10', S2: 'V2 V3 V5', S3: 'V3 V10', S4: 'V3', default: 'V3 V10' }),
  ],
  [
    'S1, S3: a sorted set of 2,000,000 that expires in an hour',
    { type: 'zset', length: 2_000_000, bytes: 200_000_000, encoding: 'skiplist', ...HOUR },
    violatedUnder({ S1: 'V3 V10', S2: 'V2 V3 V5', S3: 'V3 V10', S4: 'V3', default: 'V3 V10' }),
  ],
  [
    'all: a string above 10 KB; S4 gives no number',
    { type: 'string', length: 10_241, bytes: 12_400, encoding: 'raw', ...HOUR },
    violatedUnder({ S0: 'V1', S1: 'V1', S2: 'V1 V2', S3: 'V1', S4: 'V1', default: 'V1' }),
  ],
  [
    'S0, S2: a string of 1 MB, written ten times a second',
    { type: 'string', length: 1_048_576, bytes: 1_310_776, encoding: 'raw', ...HOUR },
    violatedUnder({ S0: 'V1', S1: 'V1', S2: 'V1 V2', S3: 'V1', S4: 'V1', default: 'V1' }),
  ],
  [
    'all but S0: 5001 elements; S4 gives no number',
    { type: 'set', length: 5001, bytes: 9000, encoding: 'intset', ...HOUR },
    violatedUnder({ S1: 'V3', S2: 'V3', S3: 'V3', S4: 'V3', default: 'V3' }),
  ],
  ...(['set', 'zset', 'list'] as const).map(
    (type): ValueExample => [
      `S2: a ${type} of 10,001 elements`,
      { type, length: 10_001, bytes: 9000, encoding: 'listpack', ...HOUR },
      violatedUnder({ S1: 'V3', S2: 'V3 V5', S3: 'V3', S4: 'V3', default: 'V3' }),
    ],
  ),
  [
    'S2: a hash of 101 fields',
    { type: 'hash', length: 101, bytes: 2000, encoding: 'listpack', ...HOUR },
    violatedUnder({ S2: 'V4', default: 'V4' }),
  ],
  [
    'S2: a key of any type above 10 Kb',
    { type: 'set', length: 100, bytes: 11_000, encoding: 'hashtable', ...HOUR },
    violatedUnder({ S2: 'V2' }),
  ],
  [
    'S0: a plain string made a hash',
    { type: 'hash', length: 1, bytes: 100, encoding: 'listpack', ...HOUR },
    violatedUnder({ S0: 'V14', default: 'V14' }),
  ],
  [
    'S0 to S3: a key that never expires',
    { type: 'string', length: 9, bytes: 60, encoding: 'embstr', ...NEVER },
    violatedUnder({ S0: 'T3', S1: 'T3', S2: 'T1', S3: 'T1', default: 'T1' }),
  ],
  [
    'S0, S3: an expiry that is too short at peaks',
    { type: 'string', length: 9, bytes: 60, encoding: 'embstr', ...inSeconds(30) },
    violatedUnder({ S0: 'T5', S3: 'T5', default: 'T5' }),
  ],
  ...['lock:order:7', 'login:captcha:7'].map(
    (name): ValueExample => [
      `S0, S3: ${name}, which lives short on purpose`,
      { name, type: 'string', length: 36, bytes: 96, encoding: 'embstr', ...inSeconds(30) },
      violatedUnder({}),
    ],
  ),
  [
    'S0: an empty answer that is cached against penetration, for a short time',
    { type: 'string', length: 4, bytes: 56, encoding: 'embstr', ...inSeconds(30) },
    violatedUnder({}),
  ],
  [
    'S3: sensitive data in plain text',
    { name: 'user:idCard:1', type: 'string', length: 18, bytes: 80, encoding: 'embstr', ...HOUR },
    violatedUnder({ S3: 'V16', default: 'V16' }),
  ],
  [
    'S1: an object outside its compact encoding',
    { type: 'hash', length: 3, bytes: 400, encoding: 'hashtable', ...HOUR },
    violatedUnder({ S1: 'V19', default: 'V19' }),
  ],
  [
    'S1, S3: hmset user:1 name age favor',
    { name: 'user:1', type: 'hash', length: 3, bytes: 120, encoding: 'listpack', ...HOUR },
    violatedUnder({}),
  ],
  [
    'S2, S3: a HyperLogLog, as they list it among the types',
    { name: 'uv:page:20261122', type: 'string', length: 12_304, bytes: 14_400, encoding: 'raw', ...HOUR },
    violatedUnder({}),
  ],
  [
    'S2, S3: a bitmap',
    { name: 'sign:bitmap:7', type: 'string', length: 125_000, bytes: 131_200, encoding: 'raw', ...HOUR },
    violatedUnder({}),
  ],
  [
    'S2, S3: a geospatial index',
    { name: 'shop:geo:all', type: 'zset', length: 9000, bytes: 900_000, encoding: 'skiplist', ...HOUR },
    violatedUnder({}),
  ],
  [
    'S4: the value of a login token',
    {
      name: 'PRO:USER:LOGINNAME:373166324',
      type: 'string',
      length: '12kd-dsj5ce-d4445-h4sd472'.length,
      bytes: 96,
      encoding: 'embstr',
      ...HOUR,
    },
    violatedUnder({}),
  ],
];

const slow = (command: string, ...args: string[]) => ({
  slowlog: [{ at: 1, command, args, microseconds: 20_000 }],
  config: { 'slowlog-log-slower-than': '10000', 'slowlog-max-len': '128' },
});
const called = (calls: Record<string, [calls: number, microseconds: number]>) => ({
  commandStats: Object.fromEntries(
    Object.entries(calls).map(([name, [times, microseconds]]) => [name, { calls: times, microseconds }]),
  ),
});
const memory = (maxBytes: number, policy: string) => ({
  memory: { usedBytes: 1, maxBytes, policy, evictedKeys: 0, expiredKeys: 0, expiredStalePercent: 0 },
  keyspace: [{ db: 0, keys: 100, expires: 10 }],
});
/**
 * Figures of ten minutes; `reads` is the number of reads from connections, each of which contains several commands if
 * clients use pipelining.
 */
const talking = (calls: Parameters<typeof called>[0], reads: number): Partial<NodeAudit> => ({
  ...called(calls),
  uptimeSeconds: 600,
  clients: { connected: 20, monitors: 0, receivedTotal: null, commandsTotal: 1_000_000 },
  traffic: { hits: null, misses: null, reads, errors: null },
});
const connecting = (connections: number, commands: number): Partial<NodeAudit> => ({
  uptimeSeconds: 600,
  clients: {
    connected: 20,
    monitors: 0,
    receivedTotal: connections,
    commandsTotal: commands,
    newest: { id: connections + 3, ageSeconds: 1 },
  },
});
const expiring = (stalePercent: number, roundMs: number): Partial<NodeAudit> => ({
  ...memory(1e9, 'allkeys-lru'),
  memory: { ...memory(1e9, 'allkeys-lru').memory, expiredStalePercent: stalePercent },
  latency: [{ event: 'expire-cycle', at: 1, lastMs: roundMs, maxMs: roundMs }],
});
const names = (count: number) => Array.from({ length: count }, (_, i) => `user:${i}`);

export type ServerExample = [of: string, node: Partial<NodeAudit>, violated: Violated];
export const serverExamples: readonly ServerExample[] = [
  [
    'all but S4: KEYS with a pattern',
    called({ keys: [3, 9000] }),
    violatedUnder({ S0: 'C1 C2', S1: 'C1', S2: 'C2', S3: 'C1', default: 'C1 C2' }),
  ],
  [
    'S0, S1, S3: FLUSHALL',
    called({ flushall: [1, 9] }),
    violatedUnder({ S0: 'C1', S1: 'C1', S3: 'C1', default: 'C1' }),
  ],
  ['S1, S3: FLUSHDB', called({ flushdb: [1, 9] }), violatedUnder({ S0: 'C1', S1: 'C1', S3: 'C1', default: 'C1' })],
  ['S3: zrange myzset 0 -1', slow('ZRANGE', 'myzset', '0', '-1'), violatedUnder({ S3: 'C4', default: 'C4' })],
  ['S3: zrange myzset 0 100', slow('ZRANGE', 'myzset', '0', '100'), violatedUnder({})],
  ['S3: HGETALL of a large hash', slow('HGETALL', 'user:1'), violatedUnder({ S3: 'C5', default: 'C5' })],
  [
    'S0 to S3: SMEMBERS without a look at N',
    called({ smembers: [10, 90_000] }),
    violatedUnder({ S0: 'C3', S1: 'C3', S2: 'C3', S3: 'C3', default: 'C3' }),
  ],
  [
    'S1, S3: values that are read one by one, without MGET or a pipeline',
    talking({ get: [1_000_000, 2_000_000] }, 1_000_000),
    violatedUnder({ S1: 'C22 C23', S3: 'C22 C23', default: 'C22 C23' }),
  ],
  [
    'S1, S3: MGET and MSET, which they call native',
    talking({ get: [500_000, 1_000_000], mget: [20_000, 90_000], mset: [10_000, 50_000] }, 1_000_000),
    violatedUnder({}),
  ],
  [
    'S1, S3: a pipeline, which packs different commands',
    talking({ get: [500_000, 1_000_000], set: [500_000, 1_000_000] }, 50_000),
    violatedUnder({}),
  ],
  ['S1, S3: MGET of more than 500', slow('MGET', ...names(501)), violatedUnder({ S1: 'C6', S3: 'C6', default: 'C6' })],
  ['S1, S3: MGET of 500', slow('MGET', ...names(500)), violatedUnder({})],
  [
    'S1, S3: DEL of a large collection',
    slow('DEL', 'user:followers'),
    violatedUnder({ S1: 'V9', S3: 'V9', S4: 'V9', default: 'V9' }),
  ],
  [
    'S1: several databases',
    {
      keyspace: [
        { db: 0, keys: 5, expires: 5 },
        { db: 1, keys: 5, expires: 5 },
      ],
    },
    violatedUnder({ S1: 'C7', default: 'C7' }),
  ],
  [
    'S1, S3: many transactions',
    called({ multi: [50, 9], get: [100, 9] }),
    violatedUnder({ S1: 'C8', S3: 'C8', default: 'C8' }),
  ],
  [
    'S1: MONITOR that is left running',
    { clients: { connected: 2, monitors: 1, receivedTotal: null, commandsTotal: null } },
    violatedUnder({ S1: 'C10', default: 'C10' }),
  ],
  [
    'S1, S3: a connection for each command, where their example takes one from a JedisPool',
    connecting(60_000, 60_000),
    violatedUnder({ S1: 'C13', S3: 'C13', default: 'C13' }),
  ],
  ['S1, S3: connections that go back to the JedisPool', connecting(50, 600_000), violatedUnder({})],
  [
    'S4: more than a quarter of the keys that expire are past it and still there',
    expiring(26, 25),
    violatedUnder({ S4: 'T8', default: 'T8' }),
  ],
  [
    'S4: a round of expiry that goes far beyond its 25 ms',
    expiring(0, 250),
    violatedUnder({ S4: 'T8', default: 'T8' }),
  ],
  ['S4: rounds of expiry of 25 ms, which keep up', expiring(1, 25), violatedUnder({})],
  [
    'S1, S3: no password',
    { defaultUser: { enabled: true, noPassword: true, may: { keys: false, flushall: false, flushdb: false } } },
    violatedUnder({ S1: 'C15', S3: 'C15', default: 'C15' }),
  ],
  [
    'S1, S3, S4: volatile-lru where few keys expire, which ends in OOM',
    memory(1e9, 'volatile-lru'),
    violatedUnder({ S1: 'C16', S3: 'C16', S4: 'C16', default: 'C16' }),
  ],
  ['S1, S3, S4: allkeys-lru, which S4 calls common', memory(1e9, 'allkeys-lru'), violatedUnder({})],
  [
    'S1, S3: writes that were refused with OOM',
    { traffic: { hits: null, misses: null, reads: null, errors: { OOM: 3 } } },
    violatedUnder({ S1: 'C26', S3: 'C26', default: 'C26' }),
  ],
  [
    'S1, S3: a transaction over two slots',
    { traffic: { hits: null, misses: null, reads: null, errors: { CROSSSLOT: 3 } } },
    violatedUnder({ S1: 'C27', S3: 'C27', default: 'C27' }),
  ],
  [
    'S0, S3: reads that penetrate to the database',
    { traffic: { hits: 5000, misses: 95_000, reads: null, errors: null } },
    violatedUnder({ S0: 'C25', S3: 'C25', default: 'C25' }),
  ],
];
