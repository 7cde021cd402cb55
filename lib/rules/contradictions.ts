import type { Contradiction } from '@/lib/model/rules/rules';

const toBothLanguages = (en: string, zh: string) => ({ en, 'zh-CN': zh });
const toTopicText = (en: [string, string], zh: [string, string]): Contradiction['text'] => ({
  en: { title: en[0], explanation: en[1] },
  'zh-CN': { title: zh[0], explanation: zh[1] },
});

/**
 * Topics on which the standards disagree: what each standard says (`says`) and what the default profile does (`ours`).
 */
export const contradictions: readonly Contradiction[] = [
  {
    id: 'case',
    rules: ['N8', 'N14', 'N15'],
    text: toTopicText(['Upper or lower case', 'A name cannot be both.'], ['大写还是小写', '一个键名不可能两者兼有。']),
    says: {
      S0: toBothLanguages('any one style', '任选一种风格'),
      S2: toBothLanguages('lower, mandatory', '小写，强制'),
      S3: toBothLanguages('lower, mandatory', '小写，强制'),
      S4: toBothLanguages('upper, advice', '大写，建议'),
    },
    ours: toBothLanguages('Lower case: two standards require it.', '小写：两份规范强制要求。'),
  },
  {
    id: 'underscore',
    rules: ['N10', 'N15'],
    text: toTopicText(
      ['Underscores', 'S0 offers user_admin as a style; S2 forbids the sign.'],
      ['下划线', 'S0 允许 user_admin 这种风格，S2 禁止下划线。'],
    ),
    says: {
      S0: toBothLanguages('allowed', '允许'),
      S2: toBothLanguages('forbidden, mandatory', '禁止，强制'),
      S3: toBothLanguages('outside its alphabet', '不在允许字符内'),
    },
    ours: toBothLanguages('Forbidden.', '禁止。'),
  },
  {
    id: 'words',
    rules: ['N12', 'N13'],
    text: toTopicText(
      [
        'How words are joined',
        'A dot within a segment, or a colon everywhere. S2’s own example basic:info breaks its rule.',
      ],
      ['单词如何连接', '段内用点，还是处处用冒号。S2 自己的例子 basic:info 违反了它的规则。'],
    ),
    says: {
      S0: toBothLanguages('colon', '冒号'),
      S2: toBothLanguages('dot, mandatory', '点，强制'),
      S3: toBothLanguages('dot, mandatory', '点，强制'),
      S4: toBothLanguages('colon', '冒号'),
    },
    ours: toBothLanguages('The dot; a colon begins a new meaning.', '用点；冒号表示新的含义。'),
  },
  {
    id: 'suffix',
    rules: ['N4'],
    text: toTopicText(['The type as suffix', 'Only S2 wants it.'], ['类型后缀', '只有 S2 要求。']),
    says: { S2: toBothLanguages('mandatory', '强制') },
    ours: toBothLanguages('Advice only.', '仅作建议。'),
  },
  {
    id: 'segments',
    rules: ['N1', 'N2', 'N3', 'N5'],
    text: toTopicText(
      ['How many segments', 'Exactly four, at least three, at least four.'],
      ['段数', '恰好四段、至少三段、至少四段。'],
    ),
    says: {
      S0: toBothLanguages('4', '4'),
      S1: toBothLanguages('3', '3'),
      S2: toBothLanguages('at least 4', '至少 4'),
      S3: toBothLanguages('at least 3', '至少 3'),
      S4: toBothLanguages('4', '4'),
    },
    ours: toBothLanguages('At least three.', '至少三段。'),
  },
  {
    id: 'braces',
    rules: ['N8', 'N21', 'N22'],
    text: toTopicText(
      [
        'Braces',
        'Outside the alphabet of S2 and S3, needed for hash tags in a cluster, and used as placeholders in examples.',
      ],
      ['花括号', '不在 S2、S3 的字符集里，集群的 hash tag 又需要它，示例中还用作占位符。'],
    ),
    says: {
      S0: toBothLanguages('needed in a cluster', '集群需要'),
      S2: toBothLanguages('not in the alphabet', '不在字符集内'),
      S3: toBothLanguages('with care', '慎用'),
    },
    ours: toBothLanguages(
      'Allowed as hash tags; concentration is watched (N22).',
      '允许用作 hash tag，并检查集中度（N22）。',
    ),
  },
  {
    id: 'short',
    rules: ['N17', 'N18', 'N19'],
    text: toTopicText(
      ['Short or clear', 'u:1:fr:m:7 is short, user:1:friends:messages:7 is clear.'],
      ['简短还是清晰', 'u:1:fr:m:7 简短，user:1:friends:messages:7 清晰。'],
    ),
    says: {
      S1: toBothLanguages('short, advice', '简短，建议'),
      S2: toBothLanguages('clear, recommended', '清晰，推荐'),
      S3: toBothLanguages('short, recommended; clear, mandatory', '简短推荐，清晰强制'),
    },
    ours: toBothLanguages('Clear first; the saving is shown where it is large.', '清晰优先；节省明显时给出提示。'),
  },
  {
    id: 'hash',
    rules: ['V3', 'V4'],
    text: toTopicText(['The size of a hash', '5,000 fields or 100.'], ['hash 的大小', '5000 个字段还是 100 个。']),
    says: {
      S1: toBothLanguages('5,000, mandatory', '5000，强制'),
      S2: toBothLanguages('5,000, mandatory; 100, recommended', '5000 强制，100 推荐'),
      S3: toBothLanguages('5,000, mandatory', '5000，强制'),
    },
    ours: toBothLanguages('5,000 mandatory, 100 recommended.', '5000 强制，100 推荐。'),
  },
  {
    id: 'collections',
    rules: ['V3', 'V5'],
    text: toTopicText(
      ['The size of sets, sorted sets and lists', '5,000 elements or 10,000.'],
      ['set、zset 和 list 的大小', '5000 还是 10000 个元素。'],
    ),
    says: {
      S1: toBothLanguages('5,000, mandatory', '5000，强制'),
      S2: toBothLanguages('5,000, mandatory; 10,000, recommended', '5000 强制，10000 推荐'),
      S3: toBothLanguages('5,000, mandatory', '5000，强制'),
    },
    ours: toBothLanguages('5,000.', '5000。'),
  },
  {
    id: 'measure',
    rules: ['V1', 'V2', 'V3', 'V11'],
    text: toTopicText(
      ['What makes a bigkey', 'Elements or bytes, and KB, K or Kb.'],
      ['怎样算大 key', '按元素还是按字节；KB、K 还是 Kb。'],
    ),
    says: {
      S1: toBothLanguages('elements', '元素'),
      S2: toBothLanguages('bytes (10 Kb)', '字节（10 Kb）'),
      S3: toBothLanguages('elements', '元素'),
      S4: toBothLanguages('elements', '元素'),
    },
    ours: toBothLanguages(
      'Elements for collections, bytes for strings: 1 KB = 1024 bytes.',
      '非字符串键按元素，字符串按字节；1 KB = 1024 字节。',
    ),
  },
  {
    id: 'expiry',
    rules: ['T1', 'T2', 'T3'],
    text: toTopicText(['Must a key expire', 'It must, or it should.'], ['是否必须过期', '必须，还是应该。']),
    says: {
      S0: toBothLanguages('never expiring is unreasonable', '永不过期不合理'),
      S1: toBothLanguages('should, recommended', '应该，推荐'),
      S2: toBothLanguages('must, mandatory', '必须，强制'),
      S3: toBothLanguages('must, mandatory', '必须，强制'),
    },
    ours: toBothLanguages('Must; exempt what is meant to stay.', '必须；确需长期保留的请登记豁免。'),
  },
  {
    id: 'access',
    rules: ['C1', 'C15'],
    text: toTopicText(
      ['Forbidden commands and the password', 'The same content with different strength.'],
      ['禁用命令与密码', '内容相同，强度不同。'],
    ),
    says: {
      S0: toBothLanguages('forbidden', '禁止'),
      S1: toBothLanguages('recommended', '推荐'),
      S3: toBothLanguages('mandatory', '强制'),
    },
    ours: toBothLanguages('Mandatory.', '强制。'),
  },
  {
    id: 'objects',
    rules: ['V13', 'V15'],
    text: toTopicText(
      ['An object as hash or as strings', 'S1 and S3 want a hash, S2 and S3 also say to prefer strings.'],
      ['对象用 hash 还是 string', 'S1、S3 建议 hash；S2、S3 又说优先 string。'],
    ),
    says: {
      S1: toBothLanguages('hash, recommended', 'hash，推荐'),
      S2: toBothLanguages('string, recommended', 'string，推荐'),
      S3: toBothLanguages('both, recommended', '两者都推荐'),
    },
    ours: toBothLanguages('A hash where sibling strings are many.', '并列字符串很多时用 hash。'),
  },
  {
    id: 'queue',
    rules: ['C11'],
    text: toTopicText(
      ['Queues', 'Not advised, or a listed use of lists.'],
      ['消息队列', '不建议，还是列表的用途之一。'],
    ),
    says: {
      S0: toBothLanguages('not advised; forbidden unless the need is very special', '不建议；如无非常特殊的需求，严禁'),
      S2: toBothLanguages('a listed use', '列为用途'),
      S3: toBothLanguages('with care, and a listed use', '慎用，又列为用途'),
    },
    ours: toBothLanguages('Advice.', '建议。'),
  },
  {
    id: 'chunk',
    rules: ['V9', 'C6'],
    text: toTopicText(
      [
        'How much at a time',
        'How many elements one step of a deletion takes. S3 gives no number for that: its 500 is the size of a batch of commands (C6), as in S1.',
      ],
      [
        '每批多少',
        '分步删除时每步处理多少个元素。S3 没有给出删除的数字：它的 500 是一次批量命令的元素个数（C6），与 S1 相同。',
      ],
    ),
    says: {
      S1: toBothLanguages('100 for every type; batches of 500', '各类型均为 100；批量命令 500'),
      S3: toBothLanguages('no number for deletions; batches of 500', '删除未给数字；批量命令 500'),
      S4: toBothLanguages(
        '500 for hash and set, 100 for zset, “few” for list',
        'hash、set 为 500，zset 为 100，list 为“少量”',
      ),
    },
    ours: toBothLanguages('By the time it takes, not by a number.', '按耗时决定，而不是固定数字。'),
  },
  {
    id: 'eviction',
    rules: ['C16'],
    text: toTopicText(
      [
        'The eviction policy',
        'S1 and S3 call volatile-lru the default; Redis itself sets noeviction since 3.0. S4 finds volatile-lru not very suitable.',
      ],
      [
        '淘汰策略',
        'S1、S3 称默认策略为 volatile-lru，而 Redis 3.0 起的实际默认是 noeviction；S4 认为 volatile-lru 不太适合。',
      ],
    ),
    says: {
      S1: toBothLanguages('volatile-lru, called the default', 'volatile-lru，称其为默认'),
      S3: toBothLanguages('volatile-lru, called the default', 'volatile-lru，称其为默认'),
      S4: toBothLanguages(
        'allkeys-lru common; volatile-lru not very suitable',
        'allkeys-lru 常用；volatile-lru 不太适合',
      ),
    },
    ours: toBothLanguages(
      'allkeys-lru or allkeys-lfu for caches; volatile-* only where most keys expire. What the server says counts, not a default.',
      '缓存用 allkeys-lru 或 allkeys-lfu；多数键都会过期时才用 volatile-*。以服务器实际配置为准。',
    ),
  },
];
