import { createHash } from 'node:crypto';
import { NO_EXPIRY } from '@/lib/model/snapshots/facts-page';
import { AS_OF, type MadeRow, madeRows, random } from '../snapshots/made-rows';

/**
 * Keyspaces whose answers are kept in files. They are the same at each run: names, sizes and times come from seeded
 * random numbers.
 */
type Name = string | Buffer;
interface Family {
  keys: number;
  name: (i: number, text: Texts) => Name;
  type: string;
  encoding: string;
  /** Number of elements, or bytes of a string. */
  length: (i: number, int: (below: number) => number) => number;
  bytesPerElement?: number;
  /** Seconds from the end of the scan until the key expires; if absent, it never expires. */
  ttl?: (i: number, int: (below: number) => number) => number;
  idleDays?: number;
  db?: number;
}

/** Returns repeatable texts that look random. */
class Texts {
  constructor(private readonly seed: string) {}
  hex(i: number, length: number): string {
    return createHash('sha256').update(`${this.seed}:${i}`).digest('hex').slice(0, length);
  }
  uuid(i: number): string {
    const text = this.hex(i, 32);
    return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join('-');
  }
}

const string = (bytes: number) => ({ type: 'string', encoding: 'raw', length: () => bytes });
const hash = (fields: number) => ({ type: 'hash', encoding: 'listpack', length: () => fields, bytesPerElement: 30 });

/** A shop with a written naming standard, and keys that violate it. */
const DEMO: Family[] = [
  { keys: 120, name: (i) => `shop:user:${1000 + i}:profile`, ...hash(12), ttl: (i) => 86_400 + i * 60, idleDays: 3 },
  { keys: 120, name: (i) => `shop:user:${1000 + i}:cart`, ...hash(4), ttl: (i) => 3600 * (1 + (i % 48)) },
  {
    keys: 90,
    name: (i) => `shop:order:2026${String(101 + (i % 28)).padStart(4, '0')}:${70_000 + i}`,
    ...string(600),
    idleDays: 60,
  },
  { keys: 60, name: (i) => `shop:product:${i}:detail`, ...string(2400), ttl: () => 7200, idleDays: 1 },
  { keys: 40, name: (i) => `shop:{stock:${i}}:left`, type: 'string', encoding: 'int', length: (i) => 1 + (i % 3) },
  {
    keys: 30,
    name: (i) => `shop:feed:${i}`,
    type: 'list',
    encoding: 'quicklist',
    length: (i) => (i === 0 ? 8000 : 40),
    bytesPerElement: 60,
  },
  {
    keys: 25,
    name: (i) => `shop:rank:${i}`,
    type: 'zset',
    encoding: 'skiplist',
    length: (i) => (i < 2 ? 20_000 : 300),
    bytesPerElement: 80,
  },
  {
    keys: 20,
    name: (i) => `shop:seen:${i}`,
    type: 'set',
    encoding: 'hashtable',
    length: (i) => 200 + i,
    bytesPerElement: 50,
    idleDays: 90,
  },
  { keys: 80, name: (i, text) => `session:${text.uuid(i)}`, ...string(300), ttl: () => 1800 },
  { keys: 30, name: (i) => `cache_page_${i}`, ...string(12_000 + 0), ttl: () => 600 },
  { keys: 20, name: (i) => `UserInfo_${i}`, ...hash(5), idleDays: 200 },
  { keys: 15, name: (i) => `活动:双11:${i}`, ...string(80), ttl: () => 60 },
  { keys: 10, name: (i) => `tmp:${i}:`, ...string(10), db: 3 },
  { keys: 5, name: (i) => `events:${i}`, type: 'stream', encoding: 'stream', length: () => 700, bytesPerElement: 90 },
];

const javaString = (text: string) =>
  Buffer.concat([Buffer.from('aced0005740000', 'hex').fill(text.length, 6), Buffer.from(text)]);

/** Keys that a dozen frameworks write. */
const FRAMEWORKS: Family[] = [
  { keys: 60, name: (i, text) => `spring:session:sessions:${text.uuid(i)}`, ...hash(3), ttl: () => 2100 },
  { keys: 60, name: (i, text) => `spring:session:sessions:expires:${text.uuid(i)}`, ...string(1), ttl: () => 1800 },
  {
    keys: 20,
    name: (i) => `spring:session:expirations:${1_796_000_000_000 + i * 60_000}`,
    type: 'set',
    encoding: 'hashtable',
    length: () => 20,
    bytesPerElement: 90,
    ttl: () => 2100,
  },
  { keys: 50, name: (i, text) => `laravel_cache:${text.hex(i, 32)}`, ...string(200), ttl: (i) => 60 + i * 100 },
  { keys: 30, name: (i) => `laravel_database_laravel_cache:users.${i}.profile`, ...string(150) },
  {
    keys: 40,
    name: (i, text) => `:1:views.decorators.cache.cache_page..GET.${text.hex(i, 32)}.en-us.UTC`,
    ...string(400),
    ttl: () => 600,
  },
  { keys: 30, name: (i) => `:1:user_profile_${i}`, ...string(100), ttl: (i) => 100 + i * 60 },
  {
    keys: 28,
    name: (i) => `stat:processed:2026-11-${String(1 + i).padStart(2, '0')}`,
    type: 'string',
    encoding: 'int',
    length: () => 6,
  },
  { keys: 50, name: (i) => `bull:mail:${i}`, ...hash(4) },
  {
    keys: 1,
    name: () => 'bull:mail:completed',
    type: 'zset',
    encoding: 'skiplist',
    length: () => 30_000,
    bytesPerElement: 70,
  },
  {
    keys: 1,
    name: () => 'queue:default',
    type: 'list',
    encoding: 'quicklist',
    length: () => 5000,
    bytesPerElement: 40,
  },
  { keys: 50, name: (i, text) => `celery-task-meta-${text.uuid(i)}`, ...string(180), ttl: () => 86_400 },
  {
    keys: 40,
    name: (i, text) => `production:views/products/${i}-20261101/${text.hex(i, 32)}`,
    ...string(700),
    ttl: () => 86_400,
  },
  { keys: 20, name: (i) => `redisson_lock__channel:{order_${i}}`, ...hash(1) },
  { keys: 20, name: (i) => `lock:order:${i}`, ...hash(1), ttl: () => 30_000 },
  { keys: 40, name: (i) => javaString(`user:cache:${'0'.repeat(i % 4)}${i}`), ...string(60), ttl: (i) => 100 + i },
  { keys: 30, name: (i, text) => `zc:k:${text.hex(i, 3)}_PRODUCT_${i}`, ...hash(4) },
  { keys: 30, name: (i) => `wp_:posts:${i}`, ...string(900), idleDays: 40 },
  { keys: 20, name: (i, text) => `PHPREDIS_SESSION:${text.hex(i, 26)}`, ...string(100), ttl: () => 1440 },
  { keys: 20, name: (i) => `cache::com.acme.user.UserService.getById::${i}`, ...string(100) },
  { keys: 10, name: (i) => `https://example.com/path?x=${i}&y=2`, ...string(1) },
];

function readRows(families: readonly Family[], seed: number): MadeRow[] {
  const r = random(seed);
  const int = (below: number) => Math.floor(r() * below);
  return families.flatMap((family, f) =>
    Array.from({ length: family.keys }, (_, i): MadeRow => {
      const length = family.length(i, int);
      const idle = int(((family.idleDays ?? 0) + 1) * 86_400);
      return {
        bytesOfName: Buffer.from(family.name(i, new Texts(`${seed}:${f}`)) as string),
        node: int(3),
        db: family.db ?? 0,
        type: family.type,
        encoding: family.encoding,
        expireAt: family.ttl ? AS_OF + family.ttl(i, int) * 1000 : NO_EXPIRY,
        bytes: 72 + length * (family.bytesPerElement ?? 1),
        length,
        idle,
        freq: -1,
      };
    }),
  );
}

export const KEYSPACES = {
  demo: () => readRows(DEMO, 1),
  frameworks: () => readRows(FRAMEWORKS, 2),
  hostile: () => madeRows(500, 3),
} satisfies Record<string, () => MadeRow[]>;
