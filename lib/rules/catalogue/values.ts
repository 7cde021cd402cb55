import { numberParam, parseSources, toRuleTexts, valueRule, wordsParam } from '../entry';
import type { Params, RuleEntry, SqlContext } from '../types';
import {
  blocksWhenFreedSql,
  expires,
  fewInTableSql,
  perhapsBlocksWhenFreedSql,
  perhapsExpires,
} from '../value-predicates';
import { SENSITIVE_WORDS, sensitiveNameSql } from '../words/sensitive-names';
import { LOCK_NAME } from '../words/short-lived';

const keyRule = { ...valueRule, kind: 'key' } as const;

const blocksSql = (of: typeof blocksWhenFreedSql, p: Params, sql: SqlContext) =>
  of(
    { elements: sql.int(sql.bigkeys.elements), bytes: sql.int(sql.bigkeys.collectionBytes) },
    sql.real(Number(p.milliseconds) * 1000),
  );

/** A lock, recognised by its short time to live, or by a word in its name if it expires at all. */
const isLock = (p: Params, sql: SqlContext) =>
  `(expire_at IS NOT NULL AND (expire_at <= ${sql.asOf} + ${sql.int(Number(p.lockSeconds) * 1000)}
    OR regexp_matches(name, '${LOCK_NAME}')))`;

/** Rules about what a key holds and in which form, evaluated for each key. */
export const valueRules: readonly RuleEntry[] = [
  {
    ...keyRule,
    id: 'V10',
    facts: ['type', 'ttl', 'length', 'bytes', 'encoding'],
    // A setting of the server decides whether the main thread frees the key.
    unknownDespiteFacts: true,
    sources: parseSources('S1 mandatory', 'S3 mandatory'),
    params: {
      milliseconds: numberParam(
        0.5,
        'milliseconds',
        'ours',
        'Freeing it keeps the main thread at least this long',
        '释放时占用主线程至少',
        { min: 0 },
      ),
    },
    inDefaultProfile: { on: true, strength: 'mandatory' },
    text: toRuleTexts(
      [
        'No bigkey expires by itself while expired keys are freed in the main thread',
        'With lazyfree-lazy-expire no, and on servers before 4.0, which have no such setting, the main thread frees every element of a collection at the moment it expires, and everybody waits. LATENCY shows it; SLOWLOG shows no DEL, at most the command that met the expired key. Valkey 8.0 turned it on by default. A bigkey is what the bigkey report calls one. Strings are one allocation and are not meant, nor collections whose freeing takes less than the time below (a list of 2,000,000 elements takes about 1 ms, before 3.2 about 0.3 s).',
        'Turn on lazyfree-lazy-expire (4.0), or remove the key step by step before it expires.',
      ],
      [
        '未开启过期键异步释放时，大 key 不要自动过期',
        'lazyfree-lazy-expire 为 no（4.0 之前没有该配置，始终如此）时，非字符串键到期的一刻由主线程释放全部元素，期间所有客户端等待。LATENCY 会记录；慢日志里没有 DEL，最多出现恰好访问到该键的命令。Valkey 8.0 起默认开启。大 key 的定义与大 key 报告一致。字符串是一整块内存，不在此列；释放耗时低于下列数值的键也不算（200 万元素的 list 约 1 ms，3.2 之前约 0.3 秒）。',
        '开启 lazyfree-lazy-expire（4.0 起），或在到期前逐步删除该键。',
      ],
    ),
    violated: (p, sql) =>
      sql.lazyExpire === false
        ? `CASE WHEN ${expires} THEN ${blocksSql(blocksWhenFreedSql, p, sql)} ELSE false END`
        : 'false',
    unknown: (p, sql) => {
      if (sql.lazyExpire === true) return 'false';
      const surely = blocksSql(blocksWhenFreedSql, p, sql);
      const perhaps = `(${perhapsExpires} AND (${surely} OR ${blocksSql(perhapsBlocksWhenFreedSql, p, sql)}))`;
      if (sql.lazyExpire === null) return perhaps;
      // If all facts are known, `violated` has already decided.
      return `CASE WHEN type IS NOT NULL AND length IS NOT NULL AND expiry_known THEN false
        ELSE ${perhaps} AND NOT (${expires} AND ${surely}) END`;
    },
  },
  {
    ...keyRule,
    id: 'V14',
    facts: ['type', 'length', 'ttl'],
    sources: parseSources('S0 unstated'),
    params: {
      lockSeconds: numberParam(
        60,
        'seconds',
        'ours',
        'Skipped with at most this long to live: locks are such hashes',
        '剩余时间不超过此值的不判断：分布式锁即此类 hash',
        { min: 0 },
      ),
    },
    inDefaultProfile: { on: true, strength: 'recommended' },
    text: toRuleTexts(
      [
        'A plain value must not be stored as a hash',
        'A hash of one field is a string with overhead. Locks of clients such as Redisson are hashes of one field with a short time to live, and are skipped; so are hashes with the word lock in their name that expire.',
        'Use a string, or put the fields of one object into one hash.',
      ],
      [
        '普通值不要存成 hash',
        '只有一个字段的 hash，就是多占内存的字符串。Redisson 等客户端的锁是过期时间很短的单字段 hash，不判为违反；键名含 lock 且会过期的也不判。',
        '改用 string，或把同一对象的字段放进同一个 hash。',
      ],
    ),
    violated: (p, sql) =>
      `(CASE WHEN coalesce(type = 'hash' AND length = 1, false) THEN expiry_known AND NOT ${isLock(p, sql)} ELSE false END)`,
    unknown: (p, sql) =>
      `(CASE WHEN coalesce(type = 'hash', true) AND coalesce(length = 1, true)
        THEN (type IS NULL OR length IS NULL OR NOT expiry_known) AND NOT ${isLock(p, sql)} ELSE false END)`,
  },
  {
    ...keyRule,
    id: 'V16',
    nameOnly: true,
    sources: parseSources('S3 mandatory'),
    params: { words: wordsParam(SENSITIVE_WORDS, 'ours', 'Words that hint at sensitive data', '疑似敏感数据的词') },
    inDefaultProfile: { on: true, strength: 'recommended' },
    text: toRuleTexts(
      [
        'No sensitive data in plain text',
        'Names appear in logs, slow logs and monitors. A phone number, id card, e-mail address or the word password in a name is a hint that such data lie open. Only names are looked at.',
        'Put a keyed hash in place of the number, encrypt the value, and let it expire.',
      ],
      [
        '敏感数据不得明文存储',
        '键名会出现在日志、慢日志和监控里。键名中的手机号、身份证号、邮箱或 password 等词，提示敏感数据可能明文存放。只检查键名。',
        '用带密钥的哈希代替号码，加密值，并设置过期。',
      ],
    ),
    // Digits decide only in runs of eleven and more, so names with shorter numbers get the same verdict.
    violated: (p, sql) => sensitiveNameSql(p.words as readonly string[], sql),
  },
  {
    ...keyRule,
    id: 'V19',
    facts: ['type', 'encoding', 'length', 'bytes'],
    sources: parseSources('S1 recommended'),
    params: {
      elements: numberParam(
        128,
        'elements',
        'ours',
        'Collections of at most this many elements should be compact',
        '元素不超过此数的非字符串键应为紧凑编码',
        { min: 1 },
      ),
      bytes: numberParam(8192, 'bytes', 'ours', 'and of at most this much memory', '且内存不超过', { min: 1 }),
    },
    inDefaultProfile: { on: true, strength: 'advice' },
    text: toRuleTexts(
      [
        'Small collections must use a compact encoding',
        'A small hash or sorted set in a full table takes several times the memory of a listpack (ziplist before 7.0); one long value converts it for good. Sets are not evaluated: before 7.2 a set of words has no such form.',
        'Keep values short (64 bytes by default), or raise hash-max-listpack-value / -entries (zset-max-…; called -ziplist- before 7.0), then write the key anew.',
      ],
      [
        '元素少的非字符串键应使用紧凑编码',
        '小 hash 或 zset 若不是紧凑编码，内存是 listpack（7.0 之前为 ziplist）的数倍；只要有一个值过长，就会转换且不再恢复。set 不判断：7.2 之前字符串 set 没有这种编码。',
        '缩短值（默认 64 字节），或调大 hash-max-listpack-value / -entries（zset 同理；7.0 之前名为 -ziplist-）后重写该键。',
      ],
    ),
    // Sets are not covered: before 7.2 a set of words has no compact encoding.
    violated: (p, sql) =>
      `coalesce(type IN ('hash', 'zset') AND bytes <= ${sql.int(Number(p.bytes))} AND ${fewInTableSql(sql.int(Number(p.elements)))}, false)`,
    unknown: (p, sql) => {
      const few = fewInTableSql(sql.int(Number(p.elements)));
      const perhaps = `coalesce(type IN ('hash', 'zset'), true) AND coalesce(encoding IN ('hashtable', 'skiplist'), true)
        AND coalesce(bytes <= ${sql.int(Number(p.bytes))}, true) AND coalesce(length <= ${sql.int(Number(p.elements))}, true)`;
      return `(${perhaps} AND NOT coalesce(type IN ('hash', 'zset') AND bytes IS NOT NULL AND ${few}, false))`;
    },
  },
];
