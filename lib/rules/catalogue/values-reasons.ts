import { parseNotedSource, parseSources, toRuleTexts, valueRule } from '../entry';
import type { RuleEntry } from '../types';

const reason = { ...valueRule, kind: 'reference', inDefaultProfile: { on: true, strength: 'advice' } } as const;

/** Explanations of the rules about values: not rules, but what the standards say about their reasons. */
export const valueReasons: readonly RuleEntry[] = [
  {
    ...reason,
    id: 'V6',
    sources: parseSources('S1 unstated', 'S3 unstated'),
    text: toRuleTexts(
      [
        'Anti-example: a list of 2,000,000 elements',
        'The standards’ own warning. Reading it whole (LRANGE 0 -1) sends everything while the others wait. Freeing such a list takes about 1 ms, because its elements lie packed in few large nodes; before 3.2 such a list took about 0.3 s. A hash of as many fields takes about 0.9 s, a set 0.5 s, a sorted set 0.4 s.',
        'The bigkey report shows how long one DEL would take, by type, encoding and length. Trim lists when writing: LPUSH, then LTRIM.',
      ],
      [
        '反例：200 万个元素的列表',
        '规范给出的反例。整体读取（LRANGE 0 -1）会一次发送全部内容，其他客户端都要等。释放这样的 list 约需 1 ms，因为元素紧凑存放在少量大节点中；3.2 之前约 0.3 秒。同样多元素的 hash 约 0.9 秒，set 约 0.5 秒，zset 约 0.4 秒。',
        '大 key 报告按类型、编码和长度给出一次 DEL 的阻塞时间。写入时修剪 list：LPUSH 后 LTRIM。',
      ],
    ),
  },
  {
    ...reason,
    id: 'V7',
    sources: parseSources('S0 unstated', 'S2 unstated'),
    text: toRuleTexts(
      [
        '1 MB written 10 times a second is 10 MB/s',
        'Network load is size times frequency: a large value that is often written fills a network card by itself.',
        'Write only what changed: hash fields instead of one serialised object.',
      ],
      [
        '1 MB 的值每秒写 10 次就是 10 MB/s',
        '流量等于大小乘频率：经常写的大值会占满网卡。',
        '只写变化的部分：用 hash 字段代替整个序列化对象。',
      ],
    ),
  },
  {
    ...reason,
    id: 'V8',
    sources: parseSources('S2 unstated'),
    text: toRuleTexts(
      [
        'DEL of a bigkey may block for tens of seconds',
        'DEL frees every element before it answers; everybody else waits. Tens of seconds take tens of millions of elements: 2,000,000 fields of a hash take about 0.9 s.',
        'Remove step by step. UNLINK (4.0), and DEL with lazyfree-lazy-user-del (6.0; on by default in Valkey 8.0), free a collection of many elements in the background, but not a string: that is one allocation, freed in the main thread (about 65 ms at 512 MB).',
      ],
      [
        'DEL 大 key 可能阻塞数十秒',
        'DEL 要释放全部元素才返回，其他客户端都在等。要达到数十秒，需要数千万个元素：200 万字段的 hash 约 0.9 秒。',
        '逐步删除。UNLINK（4.0 起），以及开启 lazyfree-lazy-user-del（6.0 起；Valkey 8.0 默认开启）后的 DEL，会在后台释放元素多的键，但不包括字符串：字符串是一整块内存，在主线程释放（512 MB 约 65 ms）。',
      ],
    ),
  },
  {
    ...reason,
    id: 'V11',
    sources: parseSources('S4 unstated'),
    contradicts: ['V2'],
    text: toRuleTexts(
      [
        'A bigkey is judged by its length, not its memory',
        'S4 measures by STRLEN and LLEN, S2 by bytes. Both numbers are shown; the profile chooses.',
        'Rules V1 and V3 measure lengths, V2 measures memory.',
      ],
      [
        '大 key 按长度判断，而不是内存',
        'S4 用 STRLEN、LLEN，S2 用字节。两种数字都显示，由规范方案选择。',
        'V1、V3 按长度，V2 按内存。',
      ],
    ),
  },
  {
    ...reason,
    id: 'V12',
    sources: parseSources('S0 unstated'),
    text: toRuleTexts(
      [
        'Encodings of strings',
        'Whole numbers of 8 bytes are int, up to 39 bytes embstr, longer raw. The standard’s 39 held for 3.0: since 3.2 it is 44. Redis 2.8 has no embstr. Since 8.1 Valkey counts the name too: together 41 in 8.1 and 113 in 9.1, with an expiry 8 less.',
        'The types page shows what is stored how.',
      ],
      [
        '字符串的编码',
        '8 字节整数为 int，39 字节以内为 embstr，更长为 raw。39 只适用于 3.0：3.2 起为 44；2.8 没有 embstr。Valkey 8.1 起连同键名计算：8.1 合计 41，9.1 为 113，有过期时间时少 8。',
        '“类型”页显示各编码的分布。',
      ],
    ),
  },
  {
    ...reason,
    id: 'V18',
    sources: [
      ...parseSources('S4 unstated'),
      parseNotedSource('S2 recommended', 'Only that it should be split.', '只要求拆分，未给出方法。'),
    ],
    text: toRuleTexts(
      [
        'How to split',
        'A big string becomes several keys or hash fields; a big hash or set becomes key + hash(field) % buckets; a list is split by range or time, or trimmed; a sorted set by score or business id. Under one hash tag all parts lie in the same slot.',
        'Buckets = elements / 5,000 (or bytes / 10 KB), rounded up to a power of two so that it can grow.',
      ],
      [
        '如何拆分',
        '大字符串拆成多个键或 hash 字段；大 hash、set 拆成 key + hash(field) % 桶数；list 按区间或时间拆分，或修剪限长；zset 按分值或业务 ID 拆分。使用同一个 hash tag 时各部分仍在同一槽位。',
        '桶数 = 元素数 / 5000（或字节数 / 10 KB），向上取 2 的幂以便扩展。',
      ],
    ),
  },
];
