import type { ServerAudit } from '@/lib/model/servers/server-audit';
import { NO_EXPIRY, UNKNOWN } from '@/lib/model/snapshots/facts-page';
import { makeAudit } from '@/test/snapshots/made-audit';
import { AS_OF, type MadeRow } from '@/test/snapshots/made-rows';
import type { Violated } from './standards-values';
import { violatedUnder } from './standards-values';

/** Examples of the standards for many keys together: which group rules are violated with every preset. */
export interface GroupExample {
  of: string;
  rows: MadeRow[];
  audit: ServerAudit;
  violated: Violated;
}

const HOUR = 3_600_000;
const key = (name: string, i: number, over: Partial<MadeRow> = {}): MadeRow => ({
  bytesOfName: Buffer.from(name),
  node: 0,
  db: 0,
  type: 'string',
  encoding: 'raw',
  // The expiries are spread as the standards want it, so that only the example itself violates a rule.
  expireAt: AS_OF + HOUR + i * 60_000,
  bytes: 100,
  length: 10,
  idle: 0,
  freq: UNKNOWN,
  ...over,
});
const many = (count: number, name: (i: number) => string, over: (i: number) => Partial<MadeRow> = () => ({})) =>
  Array.from({ length: count }, (_, i) => key(name(i), i, over(i)));
const stats = (calls: Record<string, number>) =>
  makeAudit({
    uptimeSeconds: 600,
    commandStats: Object.fromEntries(Object.entries(calls).map(([name, n]) => [name, { calls: n, microseconds: n }])),
  });
const quiet = stats({ get: 1 });
const list = (name: string) => [key(name, 0, { type: 'list', encoding: 'quicklist', length: 4000, idle: 1 })];

const set = () => ({ type: 'set', encoding: 'listpack', length: 3 });
/** Names as S1 and S3 give them, and others. */
const PROJECTS = ['ugc:video', 'user:basic.info', 'shop:cart', 'mail:box', 'im:room'];
const DAY = 24 * HOUR;
/** Keys that live for a month, some of which have two days left. */
const longLived = (due: (i: number) => boolean) =>
  many(
    800,
    (i) => `hot:page:${i + 1}`,
    (i) => ({ expireAt: AS_OF + (due(i) ? DAY : 29 * DAY) + i * 60_000 }),
  );

export const groupExamples: readonly GroupExample[] = [
  {
    of: 'S1, S3: set user:1:name, user:1:age, user:1:favor',
    rows: ['name', 'age', 'favor'].flatMap((field) => many(50, (i) => `user:${i + 1}:${field}`)),
    audit: quiet,
    violated: violatedUnder({ S1: 'V13', S3: 'V13', default: 'V13' }),
  },
  {
    of: 'S1, S3: hmset user:1 instead',
    rows: many(
      50,
      (i) => `user:${i + 1}`,
      () => ({ type: 'hash', encoding: 'listpack', length: 3 }),
    ),
    audit: quiet,
    violated: violatedUnder({}),
  },
  {
    of: 'S0: UserAdmin, userAdmin and user_admin in one project',
    rows: ['UserAdmin', 'userAdmin', 'user_admin'].flatMap((style) => many(50, (i) => `PRO:${style}:UID:${i + 1}`)),
    audit: quiet,
    violated: violatedUnder({ S0: 'N15', default: 'N15' }),
  },
  {
    of: 'S0, S1, S3: keys that all expire at one moment',
    rows: many(
      300,
      (i) => `cache:page:${i + 1}`,
      (i) => ({ expireAt: AS_OF + HOUR + (i % 10) * 1000 }),
    ),
    audit: quiet,
    violated: violatedUnder({ S0: 'T4', S1: 'T4', S3: 'T4', default: 'T4' }),
  },
  {
    of: 'S0, S3: a list as a message queue',
    rows: list('mail:out:pending'),
    audit: stats({ lpush: 900, brpop: 900 }),
    violated: violatedUnder({ S0: 'C11', S3: 'C11', default: 'C11' }),
  },
  {
    of: 'S0, S3: a sorted set as a queue of what is due later',
    rows: [key('mail:delayed:out', 0, { type: 'zset', encoding: 'skiplist', length: 40, idle: 1 })],
    audit: stats({ zadd: 900, zrangebyscore: 9000, zrem: 900 }),
    violated: violatedUnder({ S0: 'C11', S3: 'C11', default: 'C11' }),
  },
  {
    of: 'S2, S3: a sorted set as a ranking, which they recommend it for',
    rows: [key('game:rank:day', 0, { type: 'zset', encoding: 'skiplist', length: 40, idle: 1 })],
    audit: stats({ zadd: 900, zrangebyscore: 9000, zrem: 900 }),
    violated: violatedUnder({}),
  },
  {
    of: 'S0, S3: messages by PUBLISH, which has no key',
    rows: [key('user:info:1', 0)],
    audit: stats({ publish: 60_000 }),
    violated: violatedUnder({ S0: 'C11', S3: 'C11', default: 'C11' }),
  },
  {
    of: 'S2, S3: a list of who follows whom, which they recommend lists for',
    rows: list('user:7:followers'),
    audit: stats({ lpush: 900, brpop: 900 }),
    violated: violatedUnder({}),
  },
  {
    of: 'S1, S3: HGETALL of a hash that is known to be large',
    rows: [key('user:all:info', 0, { type: 'hash', encoding: 'hashtable', length: 5000 })],
    audit: makeAudit({
      commandStats: { hgetall: { calls: 9, microseconds: 90_000 } },
      slowlog: [{ at: 1, microseconds: 12_000, command: 'HGETALL', args: ['user:all:info'] }],
    }),
    violated: violatedUnder({ S1: 'C24', S3: 'C24', default: 'C24' }),
  },
  {
    of: 'S1: keys that never expire and that nobody touches',
    rows: many(
      1000,
      (i) => `trash:old:${i + 1}`,
      () => ({ expireAt: NO_EXPIRY, idle: 40 * 86_400 }),
    ),
    audit: quiet,
    violated: violatedUnder({ S1: 'T2', default: 'T2' }),
  },
  {
    of: 'S0, S2: memory of what is not needed, or read so rarely that it belongs into MySQL',
    rows: many(
      20,
      (i) => `trash:cold:${i + 1}`,
      () => ({ bytes: 100_000, idle: 40 * 86_400 }),
    ),
    audit: quiet,
    violated: violatedUnder({ S0: 'V17', S2: 'V17', default: 'V17' }),
  },
  {
    of: 'S2: the same memory, of hot data',
    rows: many(
      20,
      (i) => `trash:cold:${i + 1}`,
      () => ({ bytes: 100_000, idle: 60 }),
    ),
    audit: quiet,
    violated: violatedUnder({}),
  },
  {
    of: 'S2, S3: keys that are needed for long and expire, because nobody sets their expiry anew',
    rows: longLived((i) => i % 4 === 0),
    audit: quiet,
    violated: violatedUnder({ S2: 'T7', S3: 'T7', default: 'T7' }),
  },
  {
    of: 'S2, S3: the same keys, given a new expiry before they are due',
    rows: longLived(() => false),
    audit: quiet,
    violated: violatedUnder({}),
  },
  {
    of: 'S0, S1, S3: objects whose keys lie in different slots of a cluster',
    rows: ['following', 'followers'].flatMap((word) => many(600, (i) => `user:${i + 1}:${word}`, set)),
    audit: quiet,
    violated: violatedUnder({ S0: 'C28', S1: 'C28', S3: 'C28', default: 'C28' }),
  },
  {
    of: 'S0, S1, S3: {user1000}.following and {user1000}.followers, which lie in one slot',
    rows: ['following', 'followers'].flatMap((word) => many(600, (i) => `{user${i + 1}}.${word}`, set)),
    audit: quiet,
    violated: violatedUnder({}),
  },
  {
    of: 'S3: very many keys of one hash tag',
    rows: many(10_001, (i) => `{user1000}:followers:${i + 1}`, set),
    audit: quiet,
    violated: violatedUnder({ S3: 'N22', default: 'N22' }),
  },
  {
    of: 'S0, S1, S3: many applications on one instance',
    rows: [...PROJECTS, 'news:page'].flatMap((project) => many(50, (i) => `${project}:${i + 1}`)),
    audit: quiet,
    violated: violatedUnder({ S0: 'C12', S1: 'C12', S3: 'C12', default: 'C12' }),
  },
  {
    of: 'S1, S3: what does not belong together taken apart',
    rows: PROJECTS.slice(0, 1).flatMap((project) => many(50, (i) => `${project}:${i + 1}`)),
    audit: quiet,
    violated: violatedUnder({}),
  },
];
