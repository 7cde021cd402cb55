import { exceptRecognisedSql } from '@/lib/model/keys/recognised-values';
import { numberParam, parseNotedSource, parseSources, toRuleTexts, valueRule } from '../entry';
import type { RuleEntry } from '../types';
import { bigStringSql, COLLECTIONS, overSql, perhapsBigStringSql, perhapsOverSql } from '../value-predicates';

const SETS_AND_LISTS = `('set', 'zset', 'list')`;
const keyRule = { ...valueRule, kind: 'key' } as const;

/** S4 describes how to measure bigkeys, their effects and how to split them, but gives no threshold. */
const WITHOUT_NUMBER = parseNotedSource(
  'S4 unstated',
  'It gives no number; that of the other standards is taken.',
  '没有给出数字，取其他规范的数字。',
);

/** Rules about how large a key may be. */
export const sizeRules: readonly RuleEntry[] = [
  {
    ...keyRule,
    id: 'V1',
    facts: ['type', 'length', 'bytes'],
    sources: [
      ...parseSources('S1 mandatory', 'S2 mandatory', 'S3 mandatory'),
      parseNotedSource('S0 mandatory', 'It says “forbidden” (禁用).', '原文为“禁用”。'),
      WITHOUT_NUMBER,
    ],
    params: {
      bytes: numberParam(10240, 'bytes', 'standard', 'A string is at most this long', '字符串最大长度', { min: 1 }),
    },
    inDefaultProfile: { on: true, strength: 'mandatory' },
    text: toRuleTexts(
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
    violated: (p, sql) => bigStringSql(sql.int(Number(p.bytes))),
    unknown: (p, sql) => perhapsBigStringSql(sql.int(Number(p.bytes))),
  },
  {
    ...keyRule,
    id: 'V2',
    facts: ['bytes'],
    sources: [
      parseNotedSource(
        'S2 mandatory',
        'It writes “10 Kb”, taken as 10,240 bytes.',
        '原文写作“10 Kb”，这里按 10240 字节计。',
      ),
    ],
    params: {
      bytes: numberParam(10240, 'bytes', 'standard', 'No key takes more memory', '任何键占用内存上限', { min: 1 }),
    },
    contradicts: ['V11'],
    inDefaultProfile: { on: false, strength: 'recommended' },
    text: toRuleTexts(
      [
        'No key over 10 Kb, of any type',
        'The standard writes “10 Kb” for every type; read as kilobytes of memory (10,240; kilobits would be 1,280) harmless collections violate it too, so the default profile leaves it off.',
        'Split large collections by a bucket of the field or by time.',
      ],
      [
        '任何类型的键不超过 10 Kb',
        '规范写的是“10 Kb”，不分类型。这里按千字节计（10240；若按千比特则为 1280）；以内存衡量会误伤正常的非字符串键，默认规范方案关闭。',
        '元素多的键按字段取模或按时间拆分。',
      ],
    ),
    violated: (p, sql) => exceptRecognisedSql(`coalesce(bytes > ${sql.int(Number(p.bytes))}, false)`),
    unknown: () => 'bytes IS NULL',
  },
  {
    ...keyRule,
    id: 'V3',
    facts: ['type', 'length', 'bytes'],
    sources: [...parseSources('S1 mandatory', 'S2 mandatory', 'S3 mandatory'), WITHOUT_NUMBER],
    params: {
      elements: numberParam(5000, 'elements', 'standard', 'At most this many elements', '元素个数上限', { min: 1 }),
    },
    contradicts: ['V5'],
    inDefaultProfile: { on: true, strength: 'mandatory' },
    text: toRuleTexts(
      [
        'Hashes, lists, sets and sorted sets of at most 5,000 elements',
        'Commands over a large collection, and removing it, hold up the whole server; it cannot be spread over nodes either.',
        'Split hashes and sets into buckets, key + hash(field) % n; lists by range or time, or LTRIM them; sorted sets by score or business id. Under one hash tag all parts lie in the same slot.',
      ],
      [
        'hash、list、set、zset 不超过 5000 个元素',
        '操作或删除元素多的键会卡住整个实例，也无法分散到多个节点。',
        'hash、set 按 key + hash(field) % n 分桶；list 按区间或时间拆分，或用 LTRIM 限长；zset 按分值或业务 ID 拆分。使用同一个 hash tag 时各部分仍在同一槽位。',
      ],
    ),
    violated: (p, sql) => overSql(COLLECTIONS, sql.int(Number(p.elements))),
    unknown: (p, sql) => perhapsOverSql(COLLECTIONS, sql.int(Number(p.elements))),
  },
  {
    ...keyRule,
    id: 'V4',
    facts: ['type', 'length', 'bytes'],
    sources: parseSources('S2 recommended'),
    params: {
      elements: numberParam(100, 'elements', 'standard', 'At most this many fields', '字段个数上限', { min: 1 }),
    },
    inDefaultProfile: { on: true, strength: 'recommended' },
    text: toRuleTexts(
      [
        'Hashes of at most 100 fields',
        'Small hashes stay in a compact encoding and can be read whole.',
        'Split the object, or keep rarely read fields apart.',
      ],
      ['hash 不超过 100 个字段', '小哈希使用紧凑编码，可以整体读取。', '拆分对象，或把少读的字段分开存。'],
    ),
    violated: (p, sql) => overSql(`('hash')`, sql.int(Number(p.elements))),
    unknown: (p, sql) => perhapsOverSql(`('hash')`, sql.int(Number(p.elements))),
  },
  {
    ...keyRule,
    id: 'V5',
    facts: ['type', 'length', 'bytes'],
    sources: [
      parseNotedSource(
        'S2 recommended',
        'Of sets and lists of any kind: a sorted set is a set.',
        '原文为“集合类、链表类”：有序集合属于集合类。',
      ),
    ],
    params: {
      elements: numberParam(10000, 'elements', 'standard', 'At most this many elements', '元素个数上限', { min: 1 }),
    },
    contradicts: ['V3'],
    inDefaultProfile: { on: false, strength: 'recommended' },
    text: toRuleTexts(
      [
        'Sets, sorted sets and lists of at most 10,000',
        'S2 advises this beside its own mandatory 5,000 (V3), which S1 and S3 require too: under V3 it adds nothing.',
        'Trim lists when writing (LPUSH, then LTRIM); split sets by time or bucket, sorted sets by score or business id.',
      ],
      [
        'set、zset 和 list 不超过 10000 个元素',
        'S2 在自己强制的 5000（V3，S1、S3 相同）之外，又建议 10000；启用 V3 时本条没有额外约束。',
        '写入时修剪列表（LPUSH 后 LTRIM）；set 按时间或分桶拆分，zset 按分值或业务 ID 拆分。',
      ],
    ),
    violated: (p, sql) => overSql(SETS_AND_LISTS, sql.int(Number(p.elements))),
    unknown: (p, sql) => perhapsOverSql(SETS_AND_LISTS, sql.int(Number(p.elements))),
  },
];
