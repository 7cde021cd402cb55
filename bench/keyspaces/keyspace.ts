import calculateSlot from 'cluster-key-slot';
import { type FactsPage, NO_EXPIRY, UNKNOWN } from '../../lib/model/snapshots/facts-page';

/**
 * A generated but realistic keyspace of any size, the same for the same seed: business prefixes of very unequal size,
 * ids of several kinds, all types, spread expiries, bigkeys, hash tags with one hot tag. Keys come in no order, as SCAN
 * returns them.
 */
export interface MadeKey {
  name: string;
  type: string;
  encoding: string;
  expireAt: number;
  bytes: number;
  length: number;
  idleSeconds: number;
}

type Random = () => number;
interface Family {
  share: number;
  make(i: number, r: Random): Omit<MadeKey, 'idleSeconds'>;
}

export const NOW = Date.UTC(2026, 10, 20, 12);
const DAY = 86_400_000;
const hex = (r: Random, n: number) => {
  let s = '';
  while (s.length < n)
    s += Math.floor(r() * 0x1000000)
      .toString(16)
      .padStart(6, '0');
  return s.slice(0, n);
};
const uuid = (r: Random) => `${hex(r, 8)}-${hex(r, 4)}-4${hex(r, 3)}-a${hex(r, 3)}-${hex(r, 12)}`;
const date = (i: number) => new Date(NOW - (i % 30) * DAY).toISOString().slice(0, 10).replaceAll('-', '');
const inMs = (r: Random, max: number) => NOW + Math.floor(r() * max);
const words = ['alpha', 'beta', 'gate', 'home', 'item', 'jobs', 'lane', 'menu', 'node', 'push', 'rate', 'task'];
const word = (i: number) => words[i % words.length]!;
const string = (bytes: number) => ({
  type: 'string',
  encoding: bytes > 100 ? 'raw' : 'embstr',
  bytes,
  length: Math.max(1, bytes - 56),
});
const hash = (fields: number) => ({
  type: 'hash',
  encoding: fields > 128 ? 'hashtable' : 'listpack',
  bytes: 64 + fields * 40,
  length: fields,
});
const step = (r: Random, from: number, count: number, by: number) => from + Math.floor(r() * count) * by;

const families: Family[] = [
  { share: 0.2, make: (i, r) => ({ name: `shop:user:${i}:profile`, expireAt: NO_EXPIRY, ...hash(step(r, 6, 8, 1)) }) },
  {
    share: 0.12,
    make: (i, r) => ({ name: `shop:user:${i}:cart`, expireAt: inMs(r, 7 * DAY), ...hash(step(r, 1, 12, 1)) }),
  },
  {
    share: 0.16,
    make: (i, r) => ({
      name: `shop:order:${date(i)}:${i}`,
      expireAt: i % 3 ? inMs(r, 30 * DAY) : NO_EXPIRY,
      ...string(step(r, 120, 20, 16)),
    }),
  },
  {
    share: 0.06,
    make: (_, r) => ({ name: `session:${uuid(r)}`, expireAt: inMs(r, DAY), ...string(step(r, 200, 12, 32)) }),
  },
  {
    share: 0.04,
    make: (_, r) => ({
      name: `cache:page:${hex(r, 32)}`,
      expireAt: NOW + 3_600_000 + (Math.floor(r() * 60) % 7) * 60_000,
      ...string(step(r, 1000, 40, 256)),
    }),
  },
  {
    share: 0.1,
    make: (i, r) => ({
      name: `feed:${i}:timeline`,
      expireAt: NO_EXPIRY,
      type: 'zset',
      encoding: i % 900 ? 'listpack' : 'skiplist',
      bytes: i % 900 ? step(r, 150, 50, 48) : 1_500_000,
      length: i % 900 ? step(r, 1, 100, 1) : 12_000,
    }),
  },
  {
    share: 0.04,
    make: (i, r) => ({
      name: `rank:daily:${date(i)}:${i}`,
      expireAt: inMs(r, 2 * DAY),
      type: 'zset',
      encoding: 'listpack',
      bytes: step(r, 100, 20, 16),
      length: step(r, 1, 60, 1),
    }),
  },
  {
    share: 0.05,
    make: (i, r) => ({
      name: `im:{room:${i % 50 ? i : 7}}:member:${i}`,
      expireAt: NO_EXPIRY,
      type: 'set',
      encoding: 'intset',
      bytes: step(r, 80, 20, 8),
      length: step(r, 1, 50, 1),
    }),
  },
  { share: 0.02, make: (i, r) => ({ name: `lock:${word(i)}:${i}`, expireAt: inMs(r, 60_000), ...string(64) }) },
  {
    share: 0.04,
    make: (_, r) => ({ name: `risk:device:${hex(r, 16)}`, expireAt: inMs(r, 90 * DAY), ...string(step(r, 72, 6, 8)) }),
  },
  {
    share: 0.09,
    make: (i, r) => ({
      name: `msg:inbox:${i % 4000}:${i}`,
      expireAt: NO_EXPIRY,
      type: 'list',
      encoding: 'quicklist',
      bytes: step(r, 200, 100, 32),
      length: step(r, 1, 200, 1),
    }),
  },
  { share: 0.05, make: (i, r) => ({ name: `ugc:video:${i}:meta`, expireAt: NO_EXPIRY, ...hash(step(r, 4, 10, 1)) }) },
  {
    share: 0.0199,
    make: (i, r) => ({
      name: `svc${i % 40}:mod.${word(i)}:item:${i}`,
      expireAt: i % 2 ? inMs(r, 5 * DAY) : NO_EXPIRY,
      ...string(step(r, 64, 30, 8)),
    }),
  },
  { share: 0.0099, make: (i, r) => ({ name: `用户:资料:${i}`, expireAt: NO_EXPIRY, ...string(step(r, 64, 30, 8)) }) },
  {
    share: 0.0002,
    make: (i, r) => ({
      name: `big:export:${i}`,
      expireAt: i % 2 ? inMs(r, DAY) : NO_EXPIRY,
      ...(i % 3 ? hash(8000 + (i % 1000) * 10) : string(60_000 + i)),
    }),
  },
];

/** A small and fast random generator that is good enough for data (mulberry32). */
export function random(seed: number): Random {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), a | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const coprime = (n: number) => {
  const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));
  let step = Math.floor(n * 0.6180339887) | 1;
  while (gcd(step, n) !== 1) step += 2;
  return step;
};

export function keyAt(index: number, keys: number, seed: number): MadeKey {
  const r = random(seed * 7919 + index * 2654435761);
  let from = 0;
  for (const family of families) {
    const until = from + Math.floor(family.share * keys);
    if (index < until || family === families.at(-1)) {
      const made = family.make(index - from, r);
      return { ...made, idleSeconds: Math.floor(r() ** 3 * 90 * 86_400) };
    }
    from = until;
  }
  throw new Error('unreachable');
}

/**
 * Returns pages of 500 keys; the arrays are reused, as the parser of replies does. `make` returns the key at an index.
 */
export function* pages(keys: number, seed = 1, nodes = 3, make: typeof keyAt = keyAt): Generator<FactsPage> {
  const size = 500;
  const stride = coprime(keys);
  const page: FactsPage = {
    node: 0,
    db: 0,
    count: 0,
    names: [],
    types: [],
    encodings: [],
    expireAt: new Float64Array(size),
    bytes: new Float64Array(size),
    length: new Float64Array(size),
    idleSeconds: new Float64Array(size),
    freq: new Float64Array(size).fill(UNKNOWN),
    slot: new Uint16Array(size),
    long: null,
  };
  let at = 0;
  for (let done = 0; done < keys; done += page.count) {
    page.count = Math.min(size, keys - done);
    page.node = Math.floor((done / keys) * nodes);
    for (let i = 0; i < page.count; i++) {
      at = (at + stride) % keys;
      const key = make(at, keys, seed);
      const bytes = Buffer.from(key.name);
      page.names[i] = bytes;
      page.types[i] = key.type;
      page.encodings[i] = key.encoding;
      page.expireAt[i] = key.expireAt;
      page.bytes[i] = key.bytes;
      page.length[i] = key.length;
      page.idleSeconds[i] = key.idleSeconds;
      page.slot[i] = calculateSlot(bytes);
    }
    yield page;
  }
}
