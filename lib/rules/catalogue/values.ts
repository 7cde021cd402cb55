import { exceptRecognised } from '@/lib/model/keys/recognised-values';
import { noted, numberParam, said, texts, wordsParam } from '../entry';
import type { Params, RuleEntry, SqlContext } from '../types';
import {
  bigString,
  blocksWhenFreed,
  COLLECTIONS,
  expires,
  fewInTable,
  over,
  perhapsBigString,
  perhapsBlocksWhenFreed,
  perhapsExpires,
  perhapsOver,
} from '../value-predicates';
import { SENSITIVE_WORDS, sensitiveNameSql, sensitiveWordsPattern } from '../words/sensitive-names';

const key = { area: 'values', kind: 'key', nameOnly: false, contradicts: [] as string[] } as const;

const blocks = (of: typeof blocksWhenFreed, p: Params, sql: SqlContext) =>
  of(
    { elements: sql.int(sql.bigkeys.elements), bytes: sql.int(sql.bigkeys.collectionBytes) },
    sql.real(Number(p.milliseconds) * 1000),
  );

const LOCK_NAME = sensitiveWordsPattern(['lock', 'mutex', 'redlock']);
/** A lock by its short time to live, or by a word of its name where it expires at all. */
const isLock = (p: Params, sql: SqlContext) =>
  `(expire_at IS NOT NULL AND (expire_at <= ${sql.asOf} + ${sql.int(Number(p.lockSeconds) * 1000)}
    OR regexp_matches(name, '${LOCK_NAME}')))`;

/** Sizes and types, one key at a time. */
export const valueRules: readonly RuleEntry[] = [
  {
    ...key,
    id: 'V1',
    facts: ['type', 'length', 'bytes'],
    sources: [
      ...said('S1 mandatory', 'S2 mandatory', 'S3 mandatory'),
      noted('S0 mandatory', 'It says “forbidden”.', '原文为“禁止”。'),
    ],
    params: {
      bytes: numberParam(10240, 'bytes', 'standard', 'A string is at most this long', '字符串最大长度', { min: 1 }),
    },
    ours: { on: true, strength: 'mandatory' },
    text: texts(
      [
        'Strings of at most 10 KB',
        'A large value fills the network and holds up every other client while it is sent.',
        'Split the value into several keys or hash fields, compress it, or keep it in a store for files and cache the address.',
      ],
      [
        '字符串不超过 10 KB',
        '大值占满网卡，传输期间其他客户端都要等。',
        '拆成多个键或哈希字段、压缩，或放到文件存储中只缓存地址。',
      ],
    ),
    violated: (p, sql) => bigString(sql.int(Number(p.bytes))),
    unknown: (p, sql) => perhapsBigString(sql.int(Number(p.bytes))),
  },
  {
    ...key,
    id: 'V2',
    facts: ['bytes'],
    sources: [
      noted('S2 mandatory', 'It writes “10 Kb”, taken as 10,240 bytes.', '原文写作“10 Kb”，这里按 10240 字节计。'),
    ],
    params: {
      bytes: numberParam(10240, 'bytes', 'standard', 'No key takes more memory', '任何键占用内存上限', { min: 1 }),
    },
    contradicts: ['V11'],
    ours: { on: false, strength: 'recommended' },
    text: texts(
      [
        'No key over 10 Kb, of any type',
        'The standard writes “10 Kb” for every type; read as kilobytes of memory (10,240; kilobits would be 1,280) it also accuses harmless collections, so the default profile leaves it off.',
        'Split large collections by a bucket of the field or by time.',
      ],
      [
        '任何类型的键不超过 10 Kb',
        '规范写的是“10 Kb”，不分类型。这里按千字节计（10240；若按千比特则为 1280）；以内存衡量会误伤正常集合，默认方案关闭。',
        '大集合按字段取模或按时间拆分。',
      ],
    ),
    violated: (p, sql) => exceptRecognised(`coalesce(bytes > ${sql.int(Number(p.bytes))}, false)`),
    unknown: () => 'bytes IS NULL',
  },
  {
    ...key,
    id: 'V3',
    facts: ['type', 'length', 'bytes'],
    sources: said('S1 mandatory', 'S2 mandatory', 'S3 mandatory'),
    params: {
      elements: numberParam(5000, 'elements', 'standard', 'At most this many elements', '元素个数上限', { min: 1 }),
    },
    contradicts: ['V5'],
    ours: { on: true, strength: 'mandatory' },
    text: texts(
      [
        'Hashes, lists, sets and sorted sets of at most 5000 elements',
        'Commands over a large collection, and removing it, hold up the whole server; it cannot be spread over nodes either.',
        'Split it into buckets: key + hash(field) % n. The key page computes n.',
      ],
      [
        'hash、list、set、zset 不超过 5000 个元素',
        '操作或删除大集合会卡住整个实例，也无法分散到多个节点。',
        '按 key + hash(field) % n 分桶；键详情页会算出 n。',
      ],
    ),
    violated: (p, sql) => over(COLLECTIONS, sql.int(Number(p.elements))),
    unknown: (p, sql) => perhapsOver(COLLECTIONS, sql.int(Number(p.elements))),
  },
  {
    ...key,
    id: 'V4',
    facts: ['type', 'length', 'bytes'],
    sources: said('S2 recommended'),
    params: {
      elements: numberParam(100, 'elements', 'standard', 'At most this many fields', '字段个数上限', { min: 1 }),
    },
    ours: { on: true, strength: 'recommended' },
    text: texts(
      [
        'Hashes of at most 100 fields',
        'Small hashes stay in a compact encoding and can be read whole.',
        'Split the object, or keep rarely read fields apart.',
      ],
      ['hash 不超过 100 个字段', '小哈希使用紧凑编码，可以整体读取。', '拆分对象，或把少读的字段分开存。'],
    ),
    violated: (p, sql) => over(`('hash')`, sql.int(Number(p.elements))),
    unknown: (p, sql) => perhapsOver(`('hash')`, sql.int(Number(p.elements))),
  },
  {
    ...key,
    id: 'V5',
    facts: ['type', 'length', 'bytes'],
    sources: said('S2 recommended'),
    params: {
      elements: numberParam(10000, 'elements', 'standard', 'At most this many elements', '元素个数上限', { min: 1 }),
    },
    contradicts: ['V3'],
    ours: { on: false, strength: 'recommended' },
    text: texts(
      [
        'Sets and lists of at most 10,000',
        'S2 allows sets and lists twice as many elements as the mandatory 5000 of the others.',
        'Trim lists when writing (LPUSH, then LTRIM), split sets by time or bucket.',
      ],
      [
        'set 和 list 不超过 10000 个元素',
        'S2 对 set 和 list 放宽到 10000，其他规范强制 5000。',
        '写入时修剪列表（LPUSH 后 LTRIM），集合按时间或分桶拆分。',
      ],
    ),
    violated: (p, sql) => over(`('set', 'list')`, sql.int(Number(p.elements))),
    unknown: (p, sql) => perhapsOver(`('set', 'list')`, sql.int(Number(p.elements))),
  },
  {
    ...key,
    id: 'V10',
    facts: ['type', 'ttl', 'length', 'bytes', 'encoding'],
    sources: said('S1 mandatory', 'S3 mandatory'),
    params: {
      milliseconds: numberParam(
        0.5,
        'milliseconds',
        'ours',
        'Freeing it keeps the main thread at least this long',
        '释放时占用主线程至少',
        { min: 0 },
      ),
    },
    ours: { on: true, strength: 'mandatory' },
    text: texts(
      [
        'No bigkey expires by itself while expired keys are freed in the main thread',
        'With lazyfree-lazy-expire no, the server frees every element of a collection at the moment it expires, and everybody waits; it shows in LATENCY only, not in SLOWLOG. A bigkey is what the bigkey report calls one. Strings are one allocation and are not meant, nor collections whose freeing takes less than the time below (a list takes about 1 ms for 2,000,000 elements).',
        'Turn on lazyfree-lazy-expire, or remove the key step by step before it expires.',
      ],
      [
        '未开启过期键异步释放时，大 key 不要自动过期',
        'lazyfree-lazy-expire 为 no 时，集合到期的一刻由主线程释放全部元素，期间所有客户端等待；只出现在 LATENCY 里，慢日志看不到。大 key 的定义与大 key 报告一致。字符串是一整块内存，不在此列；释放耗时低于下列数值的集合也不算（200 万元素的 list 约 1 ms）。',
        '开启 lazyfree-lazy-expire，或在到期前逐步删除该键。',
      ],
    ),
    violated: (p, sql) =>
      sql.lazyExpire === false
        ? `CASE WHEN ${expires} THEN ${blocks(blocksWhenFreed, p, sql)} ELSE false END`
        : 'false',
    unknown: (p, sql) => {
      if (sql.lazyExpire === true) return 'false';
      const surely = blocks(blocksWhenFreed, p, sql);
      const perhaps = `(${perhapsExpires} AND (${surely} OR ${blocks(perhapsBlocksWhenFreed, p, sql)}))`;
      if (sql.lazyExpire === null) return perhaps;
      // Where all is known, the rule itself has judged.
      return `CASE WHEN type IS NOT NULL AND length IS NOT NULL AND expiry_known THEN false
        ELSE ${perhaps} AND NOT (${expires} AND ${surely}) END`;
    },
  },
  {
    ...key,
    id: 'V14',
    facts: ['type', 'length', 'ttl'],
    sources: said('S0 unstated'),
    params: {
      lockSeconds: numberParam(
        60,
        'seconds',
        'ours',
        'Left alone with at most this long to live: locks are such hashes',
        '剩余时间不超过此值的不判断：分布式锁即此类 hash',
        { min: 0 },
      ),
    },
    ours: { on: true, strength: 'recommended' },
    text: texts(
      [
        'A plain value is not stored as a hash',
        'A hash of one field is a string with overhead. Locks of clients such as Redisson are hashes of one field with a short time to live, and are left alone; so are hashes with the word lock in their name that expire.',
        'Use a string, or put the fields of one object into one hash.',
      ],
      [
        '普通值不要存成 hash',
        '只有一个字段的 hash，就是多占内存的字符串。Redisson 等客户端的锁是带短过期的单字段 hash，不判为违反；键名含 lock 且会过期的也不判。',
        '改用 string，或把同一对象的字段放进同一个 hash。',
      ],
    ),
    violated: (p, sql) =>
      `(CASE WHEN coalesce(type = 'hash' AND length = 1, false) THEN expiry_known AND NOT ${isLock(p, sql)} ELSE false END)`,
    unknown: (p, sql) =>
      `(CASE WHEN coalesce(type = 'hash', true) AND coalesce(length = 1, true)
        THEN (type IS NULL OR length IS NULL OR NOT expiry_known) AND NOT ${isLock(p, sql)} ELSE false END)`,
  },
  {
    ...key,
    id: 'V16',
    nameOnly: true,
    facts: [],
    sources: said('S3 mandatory'),
    params: { words: wordsParam(SENSITIVE_WORDS, 'ours', 'Words that speak of sensitive data', '疑似敏感数据的词') },
    ours: { on: true, strength: 'recommended' },
    text: texts(
      [
        'No sensitive data in plain text',
        'Names appear in logs, slow logs and monitors. A phone number, id card, e-mail address or the word password in a name is a hint that such data lie open. Only names are looked at.',
        'Put a keyed hash in place of the number, encrypt the value, and let it expire.',
      ],
      [
        '敏感数据不明文存储',
        '键名会出现在日志、慢日志和监控里。键名中的手机号、身份证号、邮箱或 password 等词，提示敏感数据可能明文存放。只检查键名。',
        '用带密钥的哈希代替号码，加密值，并设置过期。',
      ],
    ),
    // Digits decide only in runs of eleven and more, so names with shorter numbers are alike.
    violated: (p, sql) => sensitiveNameSql(p.words as readonly string[], sql),
  },
  {
    ...key,
    id: 'V19',
    facts: ['type', 'encoding', 'length', 'bytes'],
    sources: said('S1 recommended'),
    params: {
      elements: numberParam(
        128,
        'elements',
        'ours',
        'Collections of at most this many elements should be compact',
        '元素不超过此数的集合应为紧凑编码',
        { min: 1 },
      ),
      bytes: numberParam(8192, 'bytes', 'ours', 'and of at most this much memory', '且内存不超过', { min: 1 }),
    },
    ours: { on: true, strength: 'advice' },
    text: texts(
      [
        'Small collections use a compact encoding',
        'A small hash or sorted set in a full table takes several times the memory of a listpack; one long value converts it for good. Sets are not judged: before 7.2 they have no such form.',
        'Keep values short (64 bytes by default), or raise hash-max-listpack-value / -entries, then write the key anew.',
      ],
      [
        '小集合使用紧凑编码',
        '小 hash 或 zset 若不是紧凑编码，内存是 listpack 的数倍；只要一个过长的值就会永久转换。set 不判断：7.2 之前没有这种编码。',
        '缩短值（默认 64 字节），或调大 hash-max-listpack-value / -entries 后重写该键。',
      ],
    ),
    // Sets are left out: before 7.2 a set of words has no compact form to be in.
    violated: (p, sql) =>
      `coalesce(type IN ('hash', 'zset') AND bytes <= ${sql.int(Number(p.bytes))} AND ${fewInTable(sql.int(Number(p.elements)))}, false)`,
    unknown: (p, sql) => {
      const few = fewInTable(sql.int(Number(p.elements)));
      const perhaps = `coalesce(type IN ('hash', 'zset'), true) AND coalesce(encoding IN ('hashtable', 'skiplist'), true)
        AND coalesce(bytes <= ${sql.int(Number(p.bytes))}, true) AND coalesce(length <= ${sql.int(Number(p.elements))}, true)`;
      return `(${perhaps} AND NOT coalesce(type IN ('hash', 'zset') AND bytes IS NOT NULL AND ${few}, false))`;
    },
  },
];
