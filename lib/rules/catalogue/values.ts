import { number, said, texts, words } from '../entry';
import type { RuleEntry } from '../types';

const key = { area: 'values', kind: 'key', nameOnly: false, contradicts: [] as string[] } as const;
const COLLECTIONS = `('hash', 'list', 'set', 'zset')`;

/**
 * What is not known cannot be accused; but a length that was not asked because the key's memory leaves no room for that
 * many elements is known to be harmless: an element takes two bytes at least, in hash tables and skip lists sixteen.
 */
const mayHave = (elements: string, types: string) => `(type IN ${types} AND length IS NULL AND
  (bytes IS NULL OR bytes >= ${elements} * CASE WHEN encoding IN ('hashtable', 'skiplist') THEN 16 ELSE 2 END))`;

const over = (types: string, elements: string) => `coalesce(type IN ${types} AND length > ${elements}, false)`;
const bigString = (limit: string) => `coalesce(type = 'string' AND coalesce(length, bytes) > ${limit}, false)`;

const SENSITIVE = [
  'password',
  'passwd',
  'pwd',
  'secret',
  'token',
  'idcard',
  'id.card',
  'id_card',
  'phone',
  'mobile',
  'email',
  'bankcard',
  'cvv',
  'ssn',
];

/** Sizes and types, one key at a time. */
export const valueRules: readonly RuleEntry[] = [
  {
    ...key,
    id: 'V1',
    facts: ['type', 'length', 'bytes'],
    sources: said('S1 mandatory', 'S2 mandatory', 'S3 mandatory', 'S0 mandatory'),
    params: {
      bytes: number(10240, 'bytes', 'standard', 'A string is at most this long', '字符串最大长度', { min: 1 }),
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
    broken: (p, sql) => bigString(sql.int(Number(p.bytes))),
    unknown: () => `(type IS NULL OR (type = 'string' AND length IS NULL AND bytes IS NULL))`,
  },
  {
    ...key,
    id: 'V2',
    facts: ['bytes'],
    sources: said('S2 mandatory'),
    params: { bytes: number(10240, 'bytes', 'standard', 'No key takes more memory', '任何键占用内存上限', { min: 1 }) },
    contradicts: ['V11'],
    ours: { on: false, strength: 'recommended' },
    text: texts(
      [
        'No key over 10 Kb, of any type',
        'The standard writes “10 Kb” for every type; taken as memory it also accuses harmless collections, so the default profile leaves it off.',
        'Split large collections by a bucket of the field or by time.',
      ],
      [
        '任何类型的键不超过 10 Kb',
        '规范写的是“10 Kb”，不分类型；按内存算会误伤正常集合，所以默认方案关闭。',
        '大集合按字段取模或按时间拆分。',
      ],
    ),
    broken: (p, sql) => `coalesce(bytes > ${sql.int(Number(p.bytes))}, false)`,
    unknown: () => 'bytes IS NULL',
  },
  {
    ...key,
    id: 'V3',
    facts: ['type', 'length'],
    sources: said('S1 mandatory', 'S2 mandatory', 'S3 mandatory'),
    params: {
      elements: number(5000, 'elements', 'standard', 'At most this many elements', '元素个数上限', { min: 1 }),
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
    broken: (p, sql) => over(COLLECTIONS, sql.int(Number(p.elements))),
    unknown: (p, sql) => `coalesce(type IS NULL OR ${mayHave(sql.int(Number(p.elements)), COLLECTIONS)}, false)`,
  },
  {
    ...key,
    id: 'V4',
    facts: ['type', 'length'],
    sources: said('S2 recommended'),
    params: { elements: number(100, 'elements', 'standard', 'At most this many fields', '字段个数上限', { min: 1 }) },
    ours: { on: true, strength: 'recommended' },
    text: texts(
      [
        'Hashes of at most 100 fields',
        'Small hashes stay in a compact encoding and can be read whole.',
        'Split the object, or keep rarely read fields apart.',
      ],
      ['hash 不超过 100 个字段', '小哈希使用紧凑编码，可以整体读取。', '拆分对象，或把少读的字段分开存。'],
    ),
    broken: (p, sql) => over(`('hash')`, sql.int(Number(p.elements))),
    unknown: (p, sql) => `coalesce(type IS NULL OR ${mayHave(sql.int(Number(p.elements)), `('hash')`)}, false)`,
  },
  {
    ...key,
    id: 'V5',
    facts: ['type', 'length'],
    sources: said('S2 recommended'),
    params: {
      elements: number(10000, 'elements', 'standard', 'At most this many elements', '元素个数上限', { min: 1 }),
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
    broken: (p, sql) => over(`('set', 'list')`, sql.int(Number(p.elements))),
    unknown: (p, sql) => `coalesce(type IS NULL OR ${mayHave(sql.int(Number(p.elements)), `('set', 'list')`)}, false)`,
  },
  {
    ...key,
    id: 'V10',
    facts: ['type', 'ttl'],
    sources: said('S1 mandatory', 'S3 mandatory'),
    params: {
      bytes: number(10240, 'bytes', 'standard', 'A string is big from', '字符串超过即为大键', { min: 1 }),
      elements: number(5000, 'elements', 'standard', 'A collection is big from', '集合超过即为大键', { min: 1 }),
    },
    ours: { on: true, strength: 'mandatory' },
    text: texts(
      [
        'No bigkey expires by itself while lazy expiry is off',
        'When it expires the server frees it in one go and stands still; it shows in LATENCY only, not in SLOWLOG.',
        'Turn on lazyfree-lazy-expire, or remove the key step by step before it expires.',
      ],
      [
        '未开启惰性过期删除时，大键不要自动过期',
        '到期时服务器一次性释放，期间停顿；只出现在 LATENCY 里，慢日志看不到。',
        '开启 lazyfree-lazy-expire，或在到期前逐步删除该键。',
      ],
    ),
    broken: (p, sql) =>
      sql.lazyExpire === true || sql.lazyExpire === null
        ? 'false'
        : `(expire_at IS NOT NULL AND (${bigString(sql.int(Number(p.bytes)))} OR ${over(COLLECTIONS, sql.int(Number(p.elements)))}))`,
    unknown: (p, sql) =>
      sql.lazyExpire === null
        ? `(expire_at IS NOT NULL AND (${bigString(sql.int(Number(p.bytes)))} OR ${over(COLLECTIONS, sql.int(Number(p.elements)))}))`
        : 'false',
  },
  {
    ...key,
    id: 'V14',
    facts: ['type', 'length'],
    sources: said('S0 unstated'),
    params: {},
    ours: { on: true, strength: 'recommended' },
    text: texts(
      [
        'A plain value is not stored as a hash',
        'A hash of one field is a string with overhead.',
        'Use a string, or put the fields of one object into one hash.',
      ],
      [
        '普通值不要存成 hash',
        '只有一个字段的 hash，就是多占内存的字符串。',
        '改用 string，或把同一对象的字段放进同一个 hash。',
      ],
    ),
    broken: () => over(`('hash')`, '0').replace('length > 0', 'length = 1'),
    // Whether a small hash has one field is known only where lengths were asked.
    unknown: () => `coalesce(type = 'hash' AND length IS NULL AND (bytes IS NULL OR bytes < 1024), false)`,
  },
  {
    ...key,
    id: 'V16',
    nameOnly: true,
    facts: [],
    sources: said('S3 mandatory'),
    params: { words: words(SENSITIVE, 'ours', 'Words that speak of sensitive data', '疑似敏感数据的词') },
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
    broken: (p, sql) => {
      const list = (p.words as readonly string[]).map((word) =>
        word.toLowerCase().replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'),
      );
      const named = list.length === 0 ? '' : `(?:^|[^a-z])(?:${list.join('|')})s?(?:[^a-z]|$)|`;
      const pattern = `${named}(?:^|[^0-9])1[3-9][0-9]{9}(?:[^0-9]|$)|(?:^|[^0-9])[1-9][0-9]{5}(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])[0-9]{3}[0-9x](?:[^0-9]|$)|[a-z0-9._%+-]+@[a-z0-9-]+[.][a-z]{2,}`;
      return `regexp_matches(lower(name), ${sql.text(pattern)})`;
    },
  },
  {
    ...key,
    id: 'V19',
    facts: ['type', 'encoding', 'length', 'bytes'],
    sources: said('S1 recommended'),
    params: {
      elements: number(
        128,
        'elements',
        'ours',
        'Collections of at most this many elements should be compact',
        '元素不超过此数的集合应为紧凑编码',
        { min: 1 },
      ),
      bytes: number(8192, 'bytes', 'ours', 'and of at most this much memory', '且内存不超过', { min: 1 }),
    },
    ours: { on: true, strength: 'advice' },
    text: texts(
      [
        'Small collections use a compact encoding',
        'A small hash or sorted set in a full table takes several times the memory of a listpack; one long value is enough to convert it for good.',
        'Keep values short (64 bytes by default), or raise hash-max-listpack-value / -entries, then write the key anew.',
      ],
      [
        '小集合使用紧凑编码',
        '小 hash 或 zset 若不是紧凑编码，内存是 listpack 的数倍；只要一个过长的值就会永久转换。',
        '缩短值（默认 64 字节），或调大 hash-max-listpack-value / -entries 后重写该键。',
      ],
    ),
    broken: (p, sql) =>
      `coalesce(encoding IN ('hashtable', 'skiplist') AND length <= ${sql.int(Number(p.elements))} AND bytes <= ${sql.int(Number(p.bytes))}, false)`,
    unknown: (p, sql) =>
      `coalesce(type IN ('hash', 'set', 'zset') AND (encoding IS NULL OR (encoding IN ('hashtable', 'skiplist') AND length IS NULL AND bytes <= ${sql.int(Number(p.bytes))})), false)`,
  },
];
