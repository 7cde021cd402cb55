import { createHash } from 'node:crypto';
import calculateSlot from 'cluster-key-slot';
import { type FactsPage, NO_EXPIRY, UNKNOWN } from '@/lib/model/snapshots/facts-page';

/** Keys with known answers: tests write them into snapshots and compute the expected results from them. */
export interface MadeRow {
  bytesOfName: Buffer;
  node: number;
  db: number;
  type: string | null;
  encoding: string | null;
  expireAt: number;
  bytes: number;
  length: number;
  idle: number;
  freq: number;
}

export const AS_OF = Date.UTC(2026, 10, 20, 12);

/** The names of the hostile corpus, as bytes. */
const corpus: Buffer[] = [
  '',
  ' ',
  '\t',
  '\r\n',
  '\0',
  'a\0b:c',
  '\u001b[2J',
  '\u202eevil',
  '\u2066x\u2069',
  '\u200b',
  '\u200d',
  '\ufeffbom',
  '\ufffd',
  '__proto__',
  'constructor:prototype:toString',
  'hasOwnProperty:1',
  ':',
  '::',
  'a::b',
  ':lead',
  'trail:',
  'a',
  'a:b',
  '{}',
  '{',
  '}',
  '}{',
  '{a}{b}',
  '{{a}}',
  'foo{}{bar}',
  'foo{{bar}}zap',
  'x:{int}:y',
  'x:\\{int}:y',
  'x:12:y',
  '{uuid}',
  '*',
  '?',
  '[a]',
  '\\',
  '['.repeat(500),
  '<img src=x onerror=alert(1)>',
  '"><script>',
  '$' + '{7*7}',
  '{{7*7}}',
  "=cmd|'/c calc'!A1",
  '+1',
  '-1',
  '@SUM(1)',
  'quote"d,and\nbroken',
  '../../etc/passwd',
  "' OR 1=1--",
  '%00',
  '%2e%2e',
  '#',
  '?x=1',
  '1'.repeat(40),
  '1e309',
  'NaN',
  '\n{"level":"info"}',
  'é',
  'e\u0301',
  '😀:👨‍👩‍👧:1',
  '\u{10ffff}',
  '\u{10ffff}x',
  '\ud7ff',
  '\ue000',
  '中文:键',
  'a:'.repeat(100),
  `deep${':x'.repeat(80)}`,
  '\\x00',
]
  .map((text) => Buffer.from(text))
  .concat([
    Buffer.from([0xff, 0xfe]),
    Buffer.from([0xc0, 0xaf]),
    Buffer.from([0xed, 0xa0, 0x80]),
    Buffer.from([0xe2, 0x82]),
    Buffer.from([0x00]),
    Buffer.from([0xff]),
    Buffer.from([0x7f]),
    Buffer.from([0xc2, 0x85]),
    Buffer.concat([Buffer.from('bin:'), Buffer.from([0xfe]), Buffer.from(':x')]),
    // `user:1` and `{a}:\x00` as Java serialises them, and names that look similar.
    Buffer.concat([Buffer.from('aced0005740006', 'hex'), Buffer.from('user:1')]),
    Buffer.concat([Buffer.from('aced0005740008', 'hex'), Buffer.from('{a}:\\x00')]),
    Buffer.concat([Buffer.from('aced0005740007', 'hex'), Buffer.from('user:1')]),
    Buffer.from('\\java\\user:1'),
    Buffer.from('\\java\0'),
    ...Array.from({ length: 256 }, (_, byte) => Buffer.from([0x62, byte])),
  ]);

const seen = new Set<string>();
export const HOSTILE = corpus.filter((name) => {
  const known = seen.has(name.toString('hex'));
  seen.add(name.toString('hex'));
  return !known;
});

/** mulberry32 */
export function random(seed: number) {
  let a = seed;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), a | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Returns a mixed keyspace of `count` keys and the hostile corpus, each name once per database. */
export function madeRows(count: number, seed = 7): MadeRow[] {
  const r = random(seed);
  const int = (n: number) => Math.floor(r() * n);
  const hex = (n: number) => Array.from({ length: n }, () => int(16).toString(16)).join('');
  const families: ((i: number) => string)[] = [
    (i) => `shop:user:${i}:profile`,
    (i) => `shop:user:${i}:cart`,
    (i) => `shop:user:${i}`,
    (i) => `shop:shard:${i % 7}:item:${i}`,
    (i) => `shop:order:${20260101 + (i % 28)}:${i}`,
    () => `session:${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`,
    () => `cache:${hex(31)}1`,
    (i) => `mail:user${i}@example.com:box`,
    (i) => `im:{room:${i % 30}}:m:${i}`,
    (i) => `word${['a', 'b', 'c'][i % 3]}:x${i}:y`,
    (i) => `用户:${i}`,
    (i) => `day:2026-${String(1 + (i % 12)).padStart(2, '0')}-11:n${i}`,
    (i) => `t:QWxhZGRpbjpvcGVu${i}Zz==:v`,
    (i) => `plain${i}`,
  ];
  const types: [string, string[]][] = [
    ['string', ['raw', 'embstr', 'int']],
    ['hash', ['listpack', 'hashtable']],
    ['list', ['quicklist']],
    ['set', ['intset', 'hashtable']],
    ['zset', ['listpack', 'skiplist']],
    ['stream', ['stream']],
    ['ReJSON-RL', ['raw']],
    ['__proto__', ['raw']],
  ];
  const stormAt = AS_OF + 90 * 60_000 + 5_000;
  const names = [
    ...HOSTILE,
    ...Array.from({ length: count }, (_, i) =>
      Buffer.from(families[i % families.length]!(Math.floor(i / families.length) * 3)),
    ),
  ];
  return names.map((bytesOfName, i) => {
    const [type, encodings] = types[r() < 0.95 ? int(6) : 6 + int(2)]!;
    const known = r() > 0.03;
    const big = r() < 0.01;
    const expiry = r();
    const length = type === 'string' && big ? 20_000 + int(1000) : big ? 6000 + int(5000) : 1 + int(200);
    return {
      bytesOfName,
      node: i % 3,
      db: i % 11 === 0 ? 5 : 0,
      type: known ? type : null,
      encoding: known ? encodings[int(encodings.length)]! : null,
      expireAt:
        expiry < 0.3
          ? NO_EXPIRY
          : expiry < 0.33
            ? UNKNOWN
            : expiry < 0.36
              ? AS_OF - int(100_000)
              : expiry < 0.4
                ? stormAt + int(20_000)
                : AS_OF + int(20 * 86_400_000),
      bytes: r() < 0.02 ? UNKNOWN : 56 + length * (type === 'string' ? 1 : 40),
      length: r() < 0.05 ? UNKNOWN : length,
      idle: r() < 0.02 ? UNKNOWN : Math.floor(r() ** 3 * 100 * 86_400),
      freq: UNKNOWN,
    };
  });
}

/**
 * Returns the rows as the parser of replies does: pages of one node and database with reused arrays, long names cut.
 */
export function* pagesOf(rows: readonly MadeRow[], size = 100): Generator<FactsPage> {
  const groups = new Map<string, MadeRow[]>();
  for (const row of rows) {
    const key = `${row.node}/${row.db}`;
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  const numbers = () => new Float64Array(size);
  const shared = { expireAt: numbers(), bytes: numbers(), length: numbers(), idleSeconds: numbers(), freq: numbers() };
  for (const group of groups.values()) {
    for (let from = 0; from < group.length; from += size) {
      const some = group.slice(from, from + size);
      const page: FactsPage = {
        ...shared,
        node: some[0]!.node,
        db: some[0]!.db,
        count: some.length,
        names: [],
        types: [],
        encodings: [],
        slot: new Uint16Array(size),
        long: null,
      };
      some.forEach((row, i) => {
        const name = row.bytesOfName;
        if (name.length > 4096) {
          page.long ??= new Map();
          page.long.set(i, { nameBytes: name.length, sha256: createHash('sha256').update(name).digest('hex') });
        }
        page.names[i] = name.length > 4096 ? name.subarray(0, 512) : name;
        page.types[i] = row.type;
        page.encodings[i] = row.encoding;
        page.expireAt[i] = row.expireAt;
        page.bytes[i] = row.bytes;
        page.length[i] = row.length;
        page.idleSeconds[i] = row.idle;
        page.freq[i] = row.freq;
        page.slot[i] = calculateSlot(name);
      });
      yield page;
    }
  }
}
