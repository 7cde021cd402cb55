import type { Redis } from 'ioredis';
import { LONG } from '../../long-form.mjs';
import { type LargeType, ROUND_BYTES_EACH, seedLarge } from '../seed-large';

/**
 * The kinds of keys that are deleted under faults: each type in its large form, and small encodings that are deleted in
 * one piece.
 */
export interface Kind {
  type: string;
  /** Values for the plan; small keys of known size are deleted in batches, which is another code path. */
  length: number;
  bytes: number;
  seed(client: Redis, name: string): Promise<unknown>;
  /** One write of an application, to a key that may not exist. */
  write(client: Redis, name: string, i: number): Promise<unknown>;
  read: string;
  /** The command that deletes elements; null if one UNLINK deletes all. */
  remove: string | null;
  build: string;
  /** A command sent in the middle of the work, before the journal contains anything about the key. */
  middle: { word: string; after?: number };
  /**
   * The same kind in a form that takes three rounds of copying and journalling; null if one round is enough for all.
   */
  longer: Pick<Kind, 'length' | 'seed'> | null;
}

const LARGE_BYTES = 5_000_000;
/**
 * Two and three rounds. With LONG=1 because of the number of elements, which takes more commands than rounds that end
 * by their bytes.
 */
const N = LONG ? 20_000 : 750;
const LONGER_N = LONG ? 40_000 : 1_350;
/** Each entry is restored by a separate command. */
const STREAM_N = LONG ? 6_000 : N;
const STRING_BYTES = 3_000_000;
const LONGER_STRING_BYTES = 12_000_000;
const numbers = (n: number) => Array.from({ length: n }, (_, i) => i);

const BY_NAME = {
  hash: {
    ...large('hash'),
    write: (client, name, i) => client.hset(name, `new:${i}`, 'mine'),
    read: 'HSCAN',
    remove: 'HDEL',
    build: 'HSET',
    middle: { word: 'HDEL', after: 5 },
  },
  set: {
    ...large('set'),
    write: (client, name, i) => client.sadd(name, `new:${i}`),
    read: 'SSCAN',
    remove: 'SREM',
    build: 'SADD',
    middle: { word: 'SREM', after: 5 },
  },
  zset: {
    ...large('zset'),
    write: (client, name, i) => client.zadd(name, i, `new:${i}`),
    read: 'ZRANGE',
    remove: 'ZREMRANGEBYRANK',
    build: 'ZADD',
    middle: { word: 'ZREMRANGEBYRANK', after: 5 },
  },
  list: {
    ...large('list'),
    write: (client, name, i) => client.rpush(name, `new:${i}`),
    read: 'LRANGE',
    remove: 'LTRIM',
    build: 'RPUSH',
    middle: { word: 'LTRIM', after: 5 },
  },
  stream: {
    ...large('stream'),
    write: (client, name, i) => client.xadd(name, '*', 'n', i),
    read: 'XRANGE',
    remove: 'XTRIM',
    build: 'XADD',
    middle: { word: 'XTRIM', after: 5 },
  },
  string: {
    type: 'string',
    bytes: LARGE_BYTES,
    ...seeded('string', STRING_BYTES),
    longer: seeded('string', LONGER_STRING_BYTES),
    write: (client, name, i) => client.append(name, `new:${i}`),
    read: 'GETRANGE',
    remove: null,
    build: 'SETRANGE',
    middle: { word: 'GETRANGE', after: 1 },
  },
  listpack: {
    type: 'hash',
    length: 120,
    bytes: LARGE_BYTES,
    seed: (client, name) => client.hset(name, Object.fromEntries(numbers(120).map((i) => [`f${i}`, `v${i}`]))),
    write: (client, name, i) => client.hset(name, `new:${i}`, 'mine'),
    read: 'HGETALL',
    remove: null,
    build: 'HSET',
    middle: { word: 'UNLINK' },
    longer: null,
  },
  intset: {
    type: 'set',
    length: 500,
    bytes: LARGE_BYTES,
    seed: (client, name) => client.sadd(name, ...numbers(500)),
    write: (client, name, i) => client.sadd(name, 10_000 + i),
    read: 'SMEMBERS',
    remove: null,
    build: 'SADD',
    middle: { word: 'UNLINK' },
    longer: null,
  },
  batched: {
    type: 'zset',
    length: 50,
    bytes: 900,
    seed: (client, name) => client.zadd(name, ...numbers(50).flatMap((i) => [i / 3, `m${i}`])),
    write: (client, name, i) => client.zadd(name, i, `new:${i}`),
    read: 'ZRANGE',
    remove: null,
    build: 'ZADD',
    middle: { word: 'UNLINK' },
    longer: null,
  },
} satisfies Record<string, Kind>;

export type KindName = keyof typeof BY_NAME;
export const KINDS: Record<KindName, Kind> = BY_NAME;
export const KIND_NAMES = Object.keys(KINDS) as KindName[];
/** Kinds that are read in many steps, and of these the ones that are deleted in many. */
export const COLLECTIONS: KindName[] = ['hash', 'set', 'zset', 'list', 'stream'];
export const LARGE: KindName[] = [...COLLECTIONS, 'string'];

/** Part of a batch of many keys, with no command that could be struck separately. */
const ONE_OF_MANY = {
  read: '',
  remove: null,
  build: '',
  middle: { word: 'UNLINK' },
  longer: null,
  write: async () => {},
};
export const SMALL_HASH: Kind = {
  ...ONE_OF_MANY,
  type: 'hash',
  length: 2,
  bytes: 90,
  seed: (client, name) => client.hset(name, { a: name, b: 'x' }),
};
export const SMALL_STRING: Kind = {
  ...ONE_OF_MANY,
  type: 'string',
  length: 20,
  bytes: 60,
  seed: (client, name) => client.set(name, `of ${name}`.padEnd(20, '.')),
};

function large(type: 'hash' | 'set' | 'zset' | 'list' | 'stream') {
  const short = seeded(type, type === 'stream' ? STREAM_N : N);
  return { type, bytes: LARGE_BYTES, ...short, longer: seeded(type, LONGER_N) };
}

function seeded(type: LargeType, length: number): Pick<Kind, 'length' | 'seed'> {
  return { length, seed: (client, name) => seedLarge(client, type, name, length, LONG ? 0 : ROUND_BYTES_EACH) };
}
