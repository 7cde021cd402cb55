import { nameRule, numberParam, parseSources, toRuleTexts, wordsParam } from '../entry';
import type { RuleEntry } from '../types';
import { isMeaninglessSql } from '../words/meaningless-words';
import { ORDINARY_WORDS, reservedWordSql } from '../words/reserved-words';

/** Rules about the length of a name and words that it must not be. */
export const lengthRules: readonly RuleEntry[] = [
  {
    ...nameRule,
    id: 'N16',
    sources: parseSources('S0 unstated', 'S4 unstated'),
    params: {
      atLeast: numberParam(3, 'bytes', 'ours', 'A name has at least', '键名至少', { min: 0, max: 1024 }),
      atMost: numberParam(128, 'bytes', 'ours', 'A name has at most', '键名至多', { min: 1, max: 1048576 }),
    },
    inDefaultProfile: { on: true, strength: 'recommended' },
    text: toRuleTexts(
      [
        'Neither too long nor too short',
        'A long name costs memory in every key and time in every comparison; one of two letters says nothing.',
        'Keep names between 3 and 128 bytes (no standard gives numbers; these are the defaults of Colonnade).',
      ],
      [
        '键名不过长也不过短',
        '过长的键名每个键都多占内存、比较也慢；过短则看不出含义。',
        '控制在 3 到 128 字节（规范没有给数字，这是 Colonnade 的默认值）。',
      ],
    ),
    violated: (p, sql) => `(name_bytes < ${sql.int(Number(p.atLeast))} OR name_bytes > ${sql.int(Number(p.atMost))})`,
  },
  {
    ...nameRule,
    id: 'N18',
    sources: parseSources('S2 recommended', 'S3 mandatory'),
    params: {
      atMost: numberParam(100, 'bytes', 'ours', 'Longer names are very long', '超过即为过长', { min: 1, max: 1048576 }),
    },
    inDefaultProfile: { on: true, strength: 'recommended' },
    text: toRuleTexts(
      [
        'No unclear and no very long names',
        'A name that begins with a hash, or of single letters and ids only (a:b:c:string), says nothing to the one who has to clean up; a very long one is paid for in every key.',
        'Begin with a word that names the module, and shorten what repeats.',
      ],
      [
        '不用含义不清或过长的键名',
        '以哈希值开头，或只有单个字母和编号（a:b:c:string）的键，清理的人看不懂；过长的键名每个键都要付出内存。',
        '以模块名开头，缩短重复出现的部分。',
      ],
    ),
    violated: (p, sql) => `(name_bytes > ${sql.int(Number(p.atMost))} OR
      (strlen(${sql.first}) >= 8 AND regexp_full_match(${sql.first}, '[0-9a-f-]+') AND regexp_matches(${sql.first}, '[0-9]'))
      OR ${isMeaninglessSql(sql)})`,
  },
  {
    ...nameRule,
    id: 'N20',
    sources: parseSources('S3 mandatory'),
    params: {
      reserved: wordsParam(
        ['nil', 'null', 'ok', 'queued', 'inf', 'nan'],
        'ours',
        'Also reserved, beside the command names',
        '除命令名外的保留字',
      ),
      ordinary: wordsParam(
        ORDINARY_WORDS,
        'ours',
        'Ordinary words: refused only as the whole name',
        '日常用词：仅在单独作为键名时算违规',
      ),
    },
    inDefaultProfile: { on: true, strength: 'mandatory' },
    text: toRuleTexts(
      [
        'A reserved word of Redis is not a key name',
        'A key called get, or one with hgetall among its segments, is misread in scripts, logs and reviews.',
        'Say what is stored instead of the command that stores it. Checked against the commands of Redis up to 8.0 and Valkey up to 9.1, and those of modules and later versions that the server lists. Ordinary words (time, type, role, the suffix set) count only as the whole name.',
      ],
      [
        '键名不使用 Redis 保留字',
        '名为 get 的键，或某一段是 hgetall 的键，在脚本、日志和评审中容易被误读。',
        '键名应说明存的是什么，而不是用哪个命令写入。按 Redis 8.0 及以下版本和 Valkey 9.1 及以下版本的命令表检查，并加上服务器自己列出的模块命令和新版本命令；日常用词（time、type、role 以及后缀 set 等）仅在单独作为键名时算违规。',
      ],
    ),
    violated: reservedWordSql,
  },
];
