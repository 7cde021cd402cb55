import { COMMAND_NAMES } from '../command-names';
import { number, said, texts, words } from '../entry';
import type { RuleEntry } from '../types';

/** How long a name is, and what it may not be. */
export const lengthRules: readonly RuleEntry[] = [
  {
    id: 'N16',
    area: 'names',
    kind: 'key',
    nameOnly: true,
    facts: [],
    sources: said('S0 unstated', 'S4 unstated'),
    params: {
      atLeast: number(3, 'bytes', 'ours', 'At least', '至少', { min: 0, max: 1024 }),
      atMost: number(128, 'bytes', 'ours', 'At most', '至多', { min: 1, max: 1048576 }),
    },
    contradicts: [],
    ours: { on: true, strength: 'recommended' },
    text: texts(
      [
        'Neither too long nor too short',
        'A long name costs memory in every key and time in every comparison; one of two letters says nothing.',
        'Keep names between 3 and 128 bytes (no standard gives numbers; these are ours).',
      ],
      [
        '键名不过长也不过短',
        '过长的键名每个键都多占内存、比较也慢；过短则看不出含义。',
        '控制在 3 到 128 字节（规范没有给数字，这是我们的默认值）。',
      ],
    ),
    broken: (p, sql) => `(name_bytes < ${sql.int(Number(p.atLeast))} OR name_bytes > ${sql.int(Number(p.atMost))})`,
  },
  {
    id: 'N18',
    area: 'names',
    kind: 'key',
    nameOnly: true,
    facts: [],
    sources: said('S2 recommended', 'S3 mandatory'),
    params: {
      atMost: number(100, 'bytes', 'ours', 'Longer names are very long', '超过即为过长', { min: 1, max: 1048576 }),
    },
    contradicts: [],
    ours: { on: true, strength: 'recommended' },
    text: texts(
      [
        'No unclear and no very long names',
        'A name that begins with a hash or a number says nothing to the one who has to clean up; a very long one is paid for in every key.',
        'Begin with a word that names the module, and shorten what repeats.',
      ],
      [
        '不用含义不清或过长的键名',
        '以哈希值或数字开头的键，清理的人看不懂；过长的键名每个键都要付出内存。',
        '以模块名开头，缩短重复出现的部分。',
      ],
    ),
    broken: (p, sql) => `(name_bytes > ${sql.int(Number(p.atMost))} OR
      (strlen(${sql.first}) >= 8 AND regexp_full_match(${sql.first}, '[0-9a-f-]+') AND regexp_matches(${sql.first}, '[0-9]')))`,
  },
  {
    id: 'N20',
    area: 'names',
    kind: 'key',
    nameOnly: true,
    facts: [],
    sources: said('S3 mandatory'),
    params: {
      reserved: words(
        ['nil', 'null', 'ok', 'queued', 'inf', 'nan'],
        'ours',
        'Also reserved, beside the command names',
        '除命令名外的保留字',
      ),
    },
    contradicts: [],
    ours: { on: true, strength: 'mandatory' },
    fineWhenPlain: true,
    text: texts(
      [
        'A reserved word of Redis is not a key name',
        'A key called get or info is misread in scripts, logs and reviews.',
        'Give the key a name of its own with its module in front. Checked against all command names.',
      ],
      [
        '键名不使用 Redis 保留字',
        '名为 get 或 info 的键，在脚本、日志和评审中容易被误读。',
        '换成带模块前缀的名字。按全部命令名检查。',
      ],
    ),
    broken: (p, sql) => {
      const own = ((p.reserved as readonly string[]) ?? []).filter((word) => word !== '');
      const all = [...COMMAND_NAMES, ...own.map((word) => word.toLowerCase())];
      // The longest word decides which names are asked at all: few are as short.
      const most = Math.max(...all.map((word) => Buffer.byteLength(word)));
      return `CASE WHEN strlen(name) > ${most} THEN false
        ELSE list_contains(string_split(${sql.text(all.join('\n'))}, chr(10)), lower(name)) END`;
    },
  },
];
