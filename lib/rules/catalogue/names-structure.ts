import { endsInWord } from '@/lib/model/text/ends-in-word';
import { escapeRegex } from '@/lib/model/text/escape-regex';
import { toWellFormed } from '@/lib/model/text/to-well-formed';
import { beginsWithSql } from '@/lib/snapshots/key-query/limit-to-prefix';
import { nameRule, numberParam, parseSources, toRuleTexts } from '../entry';
import { MAX_NAME } from '../sql-context';
import type { RuleEntry, SqlContext } from '../types';
import { isIdSql } from '../words/meaningless-words';
import { DIGITS, UUID } from '../words/name-words';

const OFF = { on: false, strength: 'advice' } as const;
const segmentsParam = (value: number) => ({
  segments: numberParam(value, 'segments', 'standard', 'At least this many segments', '至少多少段', {
    min: 1,
    max: 64,
  }),
});

/**
 * SQL for the type that a suffix names, as Redis reports it; NULL if the suffix names none. Besides the types these are
 * structures built on a type (bitmap, geo) and the types of common modules. `LAST` is to be replaced by the SQL of the
 * last segment. The first test is cheap and excludes most segments: numbers, and words longer than any of these.
 */
const TYPE_OF_SUFFIX = `CASE WHEN LAST < 'A' OR strlen(LAST) > 11 THEN NULL ELSE CASE lower(LAST) WHEN 'string' THEN 'string' WHEN 'hash' THEN 'hash' WHEN 'list' THEN 'list'
  WHEN 'set' THEN 'set' WHEN 'zset' THEN 'zset' WHEN 'stream' THEN 'stream' WHEN 'bitmap' THEN 'string'
  WHEN 'hyperloglog' THEN 'string' WHEN 'geo' THEN 'zset' WHEN 'sortedset' THEN 'zset' WHEN 'json' THEN 'rejson-rl'
  WHEN 'timeseries' THEN 'tsdb-type' WHEN 'bloom' THEN 'mbbloom--'
  WHEN 'vectorset' THEN 'vectorset' END END`;

/**
 * SQL for violations of N5. A name passes if it has `count` segments, none is empty, and none but the last is an id,
 * because project, table and column have names, and a date must not be spread over several segments.
 * A hash tag may precede them as a separate segment. In a name without a delimiter that has a tag
 * ({user1000}.following) the tag counts as the structure.
 */
function rowSegmentsSql(count: number, sql: SqlContext): string {
  const d = escapeRegex(sql.delimiterText);
  const valueBefore = `(?:^|${d})(?:${DIGITS}|${UUID})${d}`;
  const tagAlone = `(NOT contains(name, ${sql.delimiter}) AND regexp_matches(name, '^[^{]*[{][^}]+[}]'))`;
  const tagBefore = `regexp_matches(name, ${sql.text(`^[{][^}]+[}]${d}`)})`;
  const expected = sql.int(count);
  const { segments, hasEmpty } = segmentCountSql(sql);
  return `CASE WHEN ${tagAlone} THEN false
    WHEN ${segments} - ${expected} NOT IN (0, 1) OR ${hasEmpty} THEN true
    WHEN ${segments} > ${expected} AND NOT ${tagBefore} THEN true
    WHEN regexp_matches(name, ${sql.text(valueBefore)}) THEN true
    WHEN NOT regexp_matches(name, ${sql.text(`[0-9@].*${d}`)}) THEN false
    ELSE len(list_filter(${sql.parts}, lambda s, i: i < len(${sql.parts}) AND ${isIdSql('s')})) > 0 END`;
}

/**
 * SQL for the number of segments, empty ones included, and for whether one is empty. It is evaluated for every key, and
 * counting a delimiter of one character takes a tenth of the time of splitting the name. A longer delimiter may overlap
 * itself, so there the name is split. Only the first MAX_NAME characters are counted.
 */
function segmentCountSql(sql: SqlContext): { segments: string; hasEmpty: string } {
  if (Array.from(sql.delimiterText).length !== 1)
    return { segments: `len(${sql.parts})`, hasEmpty: `list_contains(${sql.parts}, '')` };
  const d = sql.delimiter;
  const text = `CASE WHEN strlen(name) <= ${MAX_NAME} THEN name ELSE left(name, ${MAX_NAME}) END`;
  return {
    segments: `((strlen(${text}) - strlen(replace(${text}, ${d}, ''))) // strlen(${d}) + 1)`,
    hasEmpty: `(contains(${text}, ${sql.text(sql.delimiterText.repeat(2))}) OR starts_with(${text}, ${d}) OR ends_with(${text}, ${d}) OR name = '')`,
  };
}

/**
 * SQL that is true for names below a registered prefix. A prefix that ends in a letter or digit covers whole segments:
 * `userAdmin:1` is not below `user`.
 */
function belowPrefixSql(prefix: string, sql: SqlContext): string {
  if (!endsInWord(prefix)) return beginsWithSql(toWellFormed(prefix), sql.text);
  return `(starts_with(name, ${sql.text(prefix + sql.delimiterText)}) OR name = ${sql.text(prefix)})`;
}

/** Rules about how a name is built of segments. */
export const structureRules: readonly RuleEntry[] = [
  {
    ...nameRule,
    id: 'N1',
    sources: parseSources('S1 advice'),
    params: segmentsParam(3),
    inDefaultProfile: OFF,
    text: toRuleTexts(
      [
        'Business, table and id, parted by colons',
        'A name that begins with the business or database says whose key it is and keeps two teams from using the same one.',
        'Name keys business:table:id, for example ugc:video:1.',
      ],
      [
        '业务名:表名:id，用冒号分隔',
        '以业务名（或数据库名）开头，一眼就能看出键属于谁，也避免不同团队的键冲突。',
        '按“业务名:表名:id”命名，例如 ugc:video:1。',
      ],
    ),
    violated: (p, sql) => `${sql.segments} < ${sql.int(Number(p.segments))}`,
  },
  {
    ...nameRule,
    id: 'N2',
    sources: parseSources('S2 mandatory'),
    params: segmentsParam(4),
    contradicts: ['N5'],
    inDefaultProfile: OFF,
    text: toRuleTexts(
      [
        'Module, meaning, further parts and value type',
        'Four or more segments tell the module, what is stored, which one, and what type it is.',
        'Name keys module:meaning:other:type, for example user:basic.info:42:string.',
      ],
      [
        '模块:含义:其他:值类型',
        '至少四段，依次说明所属模块、存的是什么、哪一个、值是什么类型。',
        '按“模块:含义:其他:类型”命名，例如 user:basic.info:42:string。',
      ],
    ),
    violated: (p, sql) => `${sql.segments} < ${sql.int(Number(p.segments))}`,
  },
  {
    ...nameRule,
    id: 'N3',
    sources: parseSources('S3 mandatory'),
    params: segmentsParam(3),
    inDefaultProfile: { on: true, strength: 'mandatory' },
    text: toRuleTexts(
      [
        'Module, meaning and further parts',
        'Without at least three segments nobody can tell whose key it is and what it is for, and the namespace tree stays flat.',
        'Name keys module:meaning:other, for example user:basic.info:1.',
      ],
      [
        '模块:含义:其他',
        '少于三段，就看不出键属于哪个模块、做什么用，命名空间树也无法展开。',
        '按“模块:含义:其他”命名，例如 user:basic.info:1。',
      ],
    ),
    violated: (p, sql) => `${sql.segments} < ${sql.int(Number(p.segments))}`,
  },
  {
    ...nameRule,
    id: 'N4',
    sources: parseSources('S2 mandatory'),
    contradicts: ['N5'],
    inDefaultProfile: { on: true, strength: 'advice' },
    text: toRuleTexts(
      [
        'The name must end in the real value type',
        'A suffix such as :hash tells which commands fit. A suffix that names another type than the real one misleads.',
        'End the name with :string, :hash, :list, :set, :zset or :stream, as the value really is.',
      ],
      [
        '必须以真实的值类型结尾',
        '类型后缀让人知道该用哪些命令；后缀与实际类型不一致反而会误导。',
        '键名以 :string、:hash、:list、:set、:zset 或 :stream 结尾，并与实际类型一致。',
      ],
    ),
    violated: (_p, sql) => {
      const suffix = TYPE_OF_SUFFIX.replaceAll('LAST', sql.last);
      // The Bloom filter of Valkey has another type name.
      const real = `CASE lower(type) WHEN 'bloomfltr' THEN 'mbbloom--' ELSE lower(type) END`;
      return `coalesce(CASE WHEN type IS NULL THEN (${suffix}) IS NULL ELSE (${suffix}) <> ${real} END, true)`;
    },
  },
  {
    ...nameRule,
    id: 'N5',
    sources: parseSources('S0 unstated', 'S4 unstated'),
    params: {
      segments: numberParam(4, 'segments', 'standard', 'Exactly this many segments', '恰好多少段', { min: 1, max: 64 }),
    },
    contradicts: ['N2', 'N4'],
    inDefaultProfile: OFF,
    text: toRuleTexts(
      [
        'Project, table, primary-key column and value',
        'Four segments mirror a row of a relational table: which project, which table, found by which column, of which value. An id is a value, and stands last.',
        'Name keys PRO:USER:UID:18 or PRO:USER:LOGINNAME:373166324.',
      ],
      [
        '项目:表:主键列:主键值',
        '四段对应关系表的一行：哪个项目、哪张表、按哪一列、取什么值。编号（数字、UUID 等）是值，放在最后一段。',
        '按 PRO:USER:UID:18 或 PRO:USER:LOGINNAME:373166324 的方式命名。',
      ],
    ),
    violated: (p, sql) => rowSegmentsSql(Number(p.segments), sql),
  },
  {
    ...nameRule,
    id: 'N6',
    idsMatter: true,
    sources: parseSources('S0 unstated', 'S4 unstated'),
    inDefaultProfile: { on: true, strength: 'recommended' },
    text: toRuleTexts(
      [
        'One namespace per project, and it is registered',
        'Keys below no registered prefix belong to nobody: nobody cleans them up and two projects may collide.',
        'Register the prefix with its team, or move the keys below a registered one. Evaluated once a prefix has an owner.',
      ],
      [
        '每个项目一个已登记的命名空间',
        '不在任何已登记前缀下的键没有负责人：没人清理，不同项目也可能冲突。',
        '为前缀登记负责团队，或把键放到已登记的前缀下。至少一个前缀有负责人后才评估。',
      ],
    ),
    findSkipReason: ({ owners }) => (owners === 0 ? 'noOwners' : null),
    violated: (_p, sql) =>
      sql.ownerPrefixes.length === 0
        ? 'false'
        : `NOT (${sql.ownerPrefixes.map((prefix) => belowPrefixSql(prefix, sql)).join(' OR ')})`,
  },
];
