import { SENSITIVE_KINDS } from '@/lib/model/keys/value-samples';
import { numberParam, parseNotedSource, parseSources, toRuleTexts, valueRule, wordsParam } from '../entry';
import { judgeDel } from '../server/judge-slowlog';
import type { RuleEntry } from '../types';

/**
 * Rules about values that cover groups or the server, or are checklists. The queries of group rules are in
 * lib/rules/groups/, by rule id.
 */
export const otherValueRules: readonly RuleEntry[] = [
  {
    ...valueRule,
    id: 'V9',
    kind: 'server',
    sources: [
      ...parseSources('S1 mandatory', 'S3 mandatory'),
      parseNotedSource(
        'S4 unstated',
        'It lists the commands: HSCAN 500 + HDEL, SSCAN 500 + SREM, LTRIM, ZREMRANGEBYRANK 100.',
        '给出命令：HSCAN 500 + HDEL、SSCAN 500 + SREM、LTRIM、ZREMRANGEBYRANK 100。',
      ),
    ],
    params: {
      microseconds: numberParam(
        1000,
        'microseconds',
        'ours',
        'DEL takes at most this long on average',
        'DEL 平均耗时上限',
        { min: 1 },
      ),
    },
    inDefaultProfile: { on: true, strength: 'mandatory' },
    text: toRuleTexts(
      [
        'A bigkey must be removed step by step, not by DEL',
        'A slow DEL in the statistics or the slow log shows that a large key was removed at once.',
        'Use HSCAN/SSCAN/ZSCAN and remove in steps, LTRIM for lists; UNLINK (4.0) frees large collections in the background, strings not; so does DEL with lazyfree-lazy-user-del yes (6.0, the default of Valkey 8.0).',
      ],
      [
        '大 key 应逐步删除，不用 DEL',
        '统计或慢日志里出现很慢的 DEL，说明有人一次性删除了大 key。',
        '用 HSCAN/SSCAN/ZSCAN 分步删除，list 用 LTRIM；UNLINK（4.0 起）会在后台释放元素多的键，但不包括字符串；lazyfree-lazy-user-del 为 yes（6.0 起可设，Valkey 8.0 默认）时 DEL 亦然。',
      ],
    ),
    judge: judgeDel,
  },
  {
    ...valueRule,
    id: 'V13',
    kind: 'group',
    sources: parseSources('S1 recommended', 'S3 recommended'),
    params: {
      fields: numberParam(3, 'count', 'ours', 'Sibling strings of one object, at least', '同一对象的并列字符串至少', {
        min: 2,
      }),
      objects: numberParam(100, 'count', 'ours', 'In at least this many keys', '涉及的键至少', { min: 1 }),
    },
    inDefaultProfile: { on: true, strength: 'recommended' },
    text: toRuleTexts(
      [
        'One hash for an object instead of sibling strings',
        'user:1:name, user:1:age and user:1:favor pay for three keys what one hash of three fields would hold; so do user:name:1, user:age:1 and user:favor:1, where the values are as short as fields and the ids the same.',
        'Store the object as a hash: HSET user:1 name … age … favor … (HMSET before 4.0).',
      ],
      [
        '一个对象用一个 hash，而不是多个并列字符串',
        'user:1:name、user:1:age、user:1:favor 三个键的开销，一个三字段的 hash 就够了；user:name:1、user:age:1、user:favor:1 也一样（值像字段一样短，且编号相同时）。',
        '把对象存成 hash：HSET user:1 name … age … favor …（4.0 之前用 HMSET）。',
      ],
    ),
  },
  {
    ...valueRule,
    id: 'V15',
    kind: 'application',
    sources: parseSources('S2 recommended', 'S3 recommended'),
    inDefaultProfile: { on: true, strength: 'advice' },
    text: toRuleTexts(
      [
        'Prefer strings unless another type is surely better',
        'Strings are simple, expire one by one and spread over nodes. S1 and S3 prefer hashes for objects.',
        'Decide for each kind of key and write the reason down.',
      ],
      [
        '没有明确理由时优先用 string',
        'string 简单、可单独过期、能分散到多个节点。S1、S3 则建议对象用 hash。',
        '每类键（按业务）分别决定，并写下理由。',
      ],
    ),
  },
  {
    ...valueRule,
    id: 'V17',
    kind: 'group',
    sources: [
      parseNotedSource('S0 mandatory', 'It says “by no means” (千万不要).', '原文为“千万不要”。'),
      ...parseSources('S2 recommended'),
    ],
    params: {
      days: numberParam(30, 'days', 'ours', 'Not touched for this many days', '多少天未访问', { min: 1 }),
      bytes: numberParam(
        1048576,
        'bytes',
        'ours',
        'Reported from this much memory per prefix',
        '每个前缀占用内存超过此值才提示',
        { min: 0 },
      ),
    },
    inDefaultProfile: { on: true, strength: 'recommended' },
    text: toRuleTexts(
      [
        'Store nothing unneeded; keep hot and cold apart',
        'Bytes that nobody touches cost as much memory as those everybody needs.',
        'Let cold keys expire or move them to a disk database.',
      ],
      ['不存无用数据，冷热分离', '没人访问的数据与热数据占用同样昂贵的内存。', '让冷键过期，或迁到磁盘数据库。'],
    ),
  },
  {
    ...valueRule,
    id: 'V20',
    kind: 'group',
    sources: [
      parseNotedSource(
        'S3 mandatory',
        'The same sentence as V16, about the values themselves: a few small strings, only where a scan was asked to look.',
        '与 V16 同一条文，针对值本身：仅在扫描时选择后，抽检少量小字符串。',
      ),
    ],
    params: {
      kinds: {
        ...wordsParam(SENSITIVE_KINDS, 'ours', 'Kinds that are looked for', '检查的种类'),
        among: SENSITIVE_KINDS,
      },
    },
    inDefaultProfile: { on: true, strength: 'recommended' },
    text: toRuleTexts(
      [
        'Sampled values must hold no sensitive data',
        'Whoever can read Redis, a backup or the network reads plain text. Values are read only when a scan is started with “Sample values”: the beginning of a few strings of each prefix; what they look like is noted, never the value. The groups tell what was seen, not how much there is.',
        'Encrypt the value or keep a keyed hash instead, give tokens a short expiry, and keep passwords elsewhere.',
      ],
      [
        '抽检的值中不得有敏感数据',
        '能读到 Redis、备份或网络的人都能看到明文。只有启动扫描时选择“小字符串抽检”才会读取：每个前缀抽取少量字符串的开头，只记录疑似类型，绝不保存值。分组只反映抽检所见，并非总量。',
        '加密值，或改存带密钥的哈希；令牌设置较短的过期；密码存到别处。',
      ],
    ),
  },
];
