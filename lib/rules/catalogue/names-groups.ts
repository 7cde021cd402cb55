import { nameRule, numberParam, parseSources, toRuleTexts } from '../entry';
import type { RuleEntry } from '../types';

/** Also for rules that only people can evaluate, and for definitions. */
const groupRule = { ...nameRule, nameOnly: false } as const;

/**
 * Naming rules about prefixes and tags, naming rules that only people can evaluate, and definitions. The queries of
 * group rules are in lib/rules/groups/, by rule id.
 */
export const nameGroupRules: readonly RuleEntry[] = [
  {
    ...groupRule,
    id: 'N15',
    kind: 'group',
    sources: parseSources('S0 advice'),
    params: {
      share: numberParam(
        0.02,
        'share',
        'ours',
        'A style counts from this share of a project’s keys',
        '某种风格占比超过此值才计入',
        { min: 0, max: 1 },
      ),
    },
    inDefaultProfile: { on: true, strength: 'advice' },
    text: toRuleTexts(
      [
        'One case style per project',
        'UserAdmin, userAdmin and user_admin are three spellings of one name, and the next person has to guess which one is used. The names within a project and the project itself (the first segment) are both checked.',
        'Choose one style per project (the author of S0 prefers userAdmin) and write new keys in it.',
      ],
      [
        '每个项目只用一种命名风格',
        'UserAdmin、userAdmin、user_admin 是同一名称的三种写法，后来的人只能猜用的是哪一种。项目内的名称和项目本身（首段）都会检查。',
        '每个项目选定一种风格（S0 作者偏好 userAdmin），新键都用这种风格。',
      ],
    ),
  },
  {
    ...groupRule,
    id: 'N17',
    kind: 'group',
    sources: parseSources('S1 advice', 'S3 recommended'),
    params: {
      savedBytes: numberParam(1048576, 'bytes', 'ours', 'Reported from this saving', '可节省超过此值才提示', {
        min: 0,
      }),
      wordBytes: numberParam(6, 'bytes', 'ours', 'Words longer than this can be shortened', '长于此值的单词可缩短', {
        min: 1,
        max: 64,
      }),
    },
    inDefaultProfile: { on: true, strength: 'advice' },
    text: toRuleTexts(
      [
        'Concise names',
        'Every key stores its whole name. In a family of millions a long word costs megabytes.',
        'Shorten what repeats: u:{uid}:fr:m:{mid} for user:{uid}:friends:messages:{mid}. Keep it readable.',
      ],
      [
        '键名简洁',
        '每个键都保存完整键名；成百万的同类键里，一个长单词就要多占数 MB 内存。',
        '缩短重复部分：user:{uid}:friends:messages:{mid} 写成 u:{uid}:fr:m:{mid}，同时保持可读。',
      ],
    ),
  },
  {
    ...groupRule,
    id: 'N19',
    kind: 'application',
    sources: parseSources('S1 advice', 'S2 recommended'),
    inDefaultProfile: { on: true, strength: 'advice' },
    text: toRuleTexts(
      [
        'Readable and manageable',
        'Whether a name can be understood by the next colleague, only people can tell.',
        'Review new key families like an API: names, owner, expiry, size.',
      ],
      [
        '可读、可管理',
        '键名能否被下一位同事看懂，只有人能判断。',
        '新增一类键要像接口一样评审：名字、负责人、过期、大小。',
      ],
    ),
  },
  {
    ...groupRule,
    id: 'N21',
    kind: 'reference',
    sources: parseSources('S0 unstated'),
    inDefaultProfile: { on: true, strength: 'advice' },
    text: toRuleTexts(
      [
        'In a cluster, braces co-locate',
        'Keys with the same text in braces lie in the same slot, so they can be used together.',
        'Use {…} only for keys that are really used in one command or transaction.',
      ],
      [
        '集群中用花括号（hash tag）让键落在同一槽位',
        '花括号内文本相同的键落在同一槽位，可以一起操作。',
        '只给确实要在同一命令或事务里使用的键加 {…}。',
      ],
    ),
  },
  {
    ...groupRule,
    id: 'N22',
    kind: 'group',
    sources: parseSources('S3 caution'),
    params: {
      keys: numberParam(10000, 'keys', 'ours', 'Most keys that one tag may have', '每个 hash tag 的键数上限', {
        min: 1,
      }),
      share: numberParam(
        0.01,
        'share',
        'ours',
        'Largest share of all keys or bytes for one tag, checked from that many keys in total',
        '一个 hash tag 占全部键或字节的最大比例（键总数达到上述数量才检查）',
        { min: 0, max: 1 },
      ),
    },
    inDefaultProfile: { on: true, strength: 'recommended' },
    text: toRuleTexts(
      [
        'Hash tags must not concentrate keys',
        'All keys of a tag lie in one slot on one node. A tag with very many keys overloads that node, and no resharding can part them.',
        'Put something that differs into the tag (the user’s id, not the module), or split the tag into buckets.',
      ],
      [
        'hash tag 不要让键过度集中',
        '同一 hash tag 的键都在同一节点的同一槽位里；键太多会压垮该节点，迁移槽位也分不开。',
        'hash tag 里放会变化的内容（如用户 id，而不是模块名），或把 hash tag 分桶。',
      ],
    ),
  },
  {
    ...groupRule,
    id: 'N23',
    kind: 'reference',
    sources: parseSources('S0 unstated'),
    inDefaultProfile: { on: true, strength: 'advice' },
    text: toRuleTexts(
      [
        'Slot = CRC16 mod 16384',
        'XMODEM: width 16, polynomial 1021, initial value 0, no reflection; 123456789 gives 31C3. Fourteen of the sixteen bits are used; about 1000 nodes are the advised limit.',
        'The slots page shows every key’s slot as the cluster computes it.',
      ],
      [
        '槽位 = CRC16 mod 16384',
        'XMODEM：宽 16、多项式 1021、初值 0、不反转；123456789 得 31C3。取 16 位中的 14 位；建议节点不超过约 1000 个。',
        '“槽位”页按集群的算法显示每个键的槽。',
      ],
    ),
  },
  {
    ...groupRule,
    id: 'N24',
    kind: 'reference',
    sources: parseSources('S0 unstated'),
    inDefaultProfile: { on: true, strength: 'advice' },
    text: toRuleTexts(
      [
        'What a hash tag is',
        'The text between the first { and the first } after it, if it is not empty. foo{}{bar} has none; the tag of foo{{bar}}zap is {bar, that of foo{bar}{zap} is bar.',
        'The key page shows the tag of a name.',
      ],
      [
        '什么是 hash tag',
        '第一个 { 与其后第一个 } 之间的非空文本。foo{}{bar} 没有 hash tag；foo{{bar}}zap 的是 {bar；foo{bar}{zap} 的是 bar。',
        '键详情页会显示键名的 hash tag。',
      ],
    ),
  },
];
