import { escapeForClass } from '@/lib/model/text/escape-regex';
import { flagParam, nameRule, parseNotedSource, parseSources, toRuleTexts } from '../entry';
import type { RuleEntry } from '../types';
import { smallWordSql } from '../words/meaningless-words';
import { anyWordSegmentSql, CAMEL, DOTTED, joinedMeaningsSql, KEBAB, otherSignsSql, SNAKE } from '../words/name-words';

const tagParam = { allowTag: flagParam(1, 'Hash-tag braces are allowed', '允许 hash tag 花括号') };

/** Rules about the characters of a name and how words are joined. */
export const characterRules: readonly RuleEntry[] = [
  {
    ...nameRule,
    id: 'N7',
    sources: parseSources('S2 mandatory', 'S3 mandatory'),
    params: tagParam,
    inDefaultProfile: { on: true, strength: 'mandatory' },
    text: toRuleTexts(
      [
        'Must begin with an English letter',
        'A name that begins with a digit or a sign sorts apart from its family and is hard to match by prefix.',
        'Put the module’s name first.',
      ],
      ['以英文字母开头', '以数字或符号开头的键排不进同类，也不便按前缀匹配。', '把模块名放在最前面。'],
    ),
    violated: (p, sql) =>
      `NOT regexp_matches(name, ${sql.text(Number(p.allowTag) === 1 ? '^[{]?[A-Za-z]' : '^[A-Za-z]')})`,
  },
  {
    ...nameRule,
    id: 'N8',
    sources: parseSources('S2 mandatory', 'S3 mandatory'),
    params: tagParam,
    contradicts: ['N14'],
    inDefaultProfile: { on: true, strength: 'mandatory' },
    text: toRuleTexts(
      [
        'Only lower-case letters, digits, dots and colons',
        'One small alphabet makes names comparable: User:1 and user:1 are two keys. Braces are left to hash tags where that is allowed.',
        'Write names in lower case; join words by dots and segments by colons.',
      ],
      [
        '只用小写字母、数字、点和冒号',
        '统一的小字符集让键名可比较：User:1 和 user:1 是两个键。花括号仅在允许时用作 hash tag。',
        '键名一律小写；单词用点连接，段用冒号分隔。',
      ],
    ),
    violated: (p, sql) =>
      `NOT regexp_full_match(name, ${sql.text(`[a-z0-9.:${Number(p.allowTag) === 1 ? '{}' : ''}${escapeForClass(sql.delimiterText)}]*`)})`,
  },
  {
    ...nameRule,
    id: 'N9',
    sources: parseSources('S0 mandatory', 'S1 mandatory', 'S2 mandatory'),
    inDefaultProfile: { on: true, strength: 'mandatory' },
    text: toRuleTexts(
      [
        'No spaces, line breaks, quotes or escape characters',
        'Such names break scripts, logs and command lines, and look like other names on a screen.',
        'Encode what comes from outside (for example as hex) before it becomes a part of a name.',
      ],
      [
        '不含空格、换行、引号和其他转义字符',
        '这类键名会破坏脚本、日志和命令行，显示时还容易与别的键混淆。',
        '来自外部的内容先编码（例如十六进制）再放进键名。',
      ],
    ),
    // The column `raw` is set if a name has control characters or bytes that are not UTF-8.
    violated: () => `(raw IS NOT NULL OR regexp_matches(name, '[\\s\\pZ\\p{Cf}"''\\\\\`]'))`,
  },
  {
    ...nameRule,
    id: 'N10',
    sources: [
      ...parseSources('S2 mandatory'),
      parseNotedSource(
        'S3 mandatory',
        'Only through its alphabet (N8), which has no underscore.',
        '未单独提出，仅因其允许的字符（N8）中没有下划线。',
      ),
    ],
    inDefaultProfile: { on: true, strength: 'mandatory' },
    text: toRuleTexts(
      [
        'No underscore',
        'Two ways to join words mean two names for one thing.',
        'Join words by dots: basic.info instead of basic_info.',
      ],
      [
        '不使用下划线',
        '单词有两种连接方式，同一个东西就会有两个名字。',
        '用点连接单词：写 basic.info，不写 basic_info。',
      ],
    ),
    violated: () => `contains(name, '_')`,
  },
  {
    ...nameRule,
    id: 'N11',
    sources: [
      ...parseSources('S2 mandatory', 'S3 mandatory', 'S1 advice'),
      parseNotedSource('S0 unstated', 'It says that of words.', '原文说的是单词之间。'),
      parseNotedSource('S4 unstated', 'It says that of words.', '原文说的是单词之间。'),
    ],
    inDefaultProfile: { on: true, strength: 'mandatory' },
    text: toRuleTexts(
      [
        'Meanings must be parted by colons, not by other signs',
        'A slash, bar or dash that does a colon’s work hides the structure from every tool that shows a tree.',
        'Use the colon between meanings: user:1:name instead of user-1-name or user/1/name.',
      ],
      [
        '不同含义之间应以冒号分隔',
        '用斜杠、竖线或连字符代替冒号，所有按树展示的工具都看不出结构。',
        '含义之间用冒号：写 user:1:name，不写 user-1-name 或 user/1/name。',
      ],
    ),
    violated: (_p, sql) => `(${otherSignsSql(sql)}
      OR (NOT contains(name, ${sql.delimiter}) AND ${joinedMeaningsSql('name')}))`,
  },
  {
    ...nameRule,
    id: 'N12',
    sources: parseSources('S2 mandatory', 'S3 mandatory'),
    contradicts: ['N13'],
    inDefaultProfile: { on: true, strength: 'mandatory' },
    text: toRuleTexts(
      [
        'Words within a segment must be joined by dots',
        'basicInfo, basic_info and basic-info are three spellings of one segment.',
        'Write basic.info.',
      ],
      ['段内单词应以点连接', 'basicInfo、basic_info、basic-info 是同一段的三种写法。', '统一写成 basic.info。'],
    ),
    violated: (_p, sql) => anyWordSegmentSql(sql, `${CAMEL}|${SNAKE}|${KEBAB}`),
  },
  {
    ...nameRule,
    id: 'N13',
    sources: parseSources('S0 unstated', 'S4 unstated'),
    params: {
      caseStyles: flagParam(
        0,
        'UserAdmin, userAdmin and user_admin count as one word',
        'UserAdmin、userAdmin、user_admin 算作一个单词',
      ),
    },
    contradicts: ['N12'],
    inDefaultProfile: { on: false, strength: 'advice' },
    text: toRuleTexts(
      [
        'Words must be parted by colons',
        'With one separator for everything nobody has to remember where a dot belongs.',
        'Write user:basic:info instead of user:basic.info.',
      ],
      ['单词之间应以冒号分隔', '只有一种分隔符，就不必记住哪里该用点。', '写 user:basic:info，不写 user:basic.info。'],
    ),
    violated: (p, sql) =>
      anyWordSegmentSql(
        sql,
        Number(p.caseStyles) === 1 ? `${DOTTED}|${KEBAB}` : `${DOTTED}|${CAMEL}|${SNAKE}|${KEBAB}`,
      ),
  },
  {
    ...nameRule,
    id: 'N14',
    sources: parseSources('S4 advice'),
    contradicts: ['N8'],
    inDefaultProfile: { on: false, strength: 'advice' },
    text: toRuleTexts(
      [
        'All upper case',
        'Upper case sets keys apart from values and code. It excludes the lower-case rule. Values and ids are as they are.',
        'Write names in upper case: PRO:USER:UID:18.',
      ],
      [
        '全部大写',
        '大写让键名与值、代码区分开；与小写规则互斥。主键值和编号保持原样。',
        '键名使用大写：PRO:USER:UID:18。',
      ],
    ),
    violated: (_p, sql) => smallWordSql(sql),
  },
];
