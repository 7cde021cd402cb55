import { expiryRule, numberParam, parseNotedSource, parseSources, toRuleTexts } from '../entry';
import { judgeStale } from '../server/judge-memory';
import type { Params, RuleEntry, SqlContext } from '../types';
import { perhapsTooShortSql, tooShortSql } from '../words/short-lived';

const NEVER = '(expire_at IS NULL AND expiry_known)';
const expiresSoonSql = (p: Params, sql: SqlContext) =>
  `expire_at > ${sql.asOf} AND expire_at < ${sql.asOf} + ${sql.int(Number(p.seconds) * 1000)}`;

export const expiryRules: readonly RuleEntry[] = [
  {
    ...expiryRule,
    id: 'T1',
    kind: 'key',
    facts: ['ttl'],
    sources: parseSources('S2 mandatory', 'S3 mandatory'),
    inDefaultProfile: { on: true, strength: 'mandatory' },
    text: toRuleTexts(
      [
        'A key must expire',
        'A key without expiry stays when its application is gone, and memory only grows.',
        'Set the expiry with the write: SET key value EX seconds. For keys that exist: EXPIRE with jitter.',
      ],
      [
        '键必须设置过期时间',
        '没有过期时间的键，业务下线后依然存在，内存只增不减。',
        '写入时设置：SET key value EX 秒数；已有的键用 EXPIRE 并加随机偏移。',
      ],
    ),
    violated: () => NEVER,
    unknown: () => 'NOT expiry_known',
  },
  {
    ...expiryRule,
    id: 'T2',
    kind: 'group',
    sources: parseSources('S1 recommended'),
    params: {
      days: numberParam(30, 'days', 'ours', 'Without expiry and not touched for', '无过期且多少天未访问', { min: 1 }),
      keys: numberParam(1000, 'keys', 'ours', 'Reported from this many keys per prefix', '每个前缀超过此数才提示', {
        min: 1,
      }),
    },
    inDefaultProfile: { on: true, strength: 'recommended' },
    text: toRuleTexts(
      [
        'Use EXPIRE; watch the idle time of keys without it',
        'Keys that neither expire nor are accessed are the first to be forgotten.',
        'Give the prefix an expiry, or name its owner and exempt it with a date.',
      ],
      [
        '设置过期；无过期的键关注空闲时间',
        '既不过期又没人访问的键，最容易被遗忘。',
        '给该前缀设置过期，或登记负责人并限期豁免。',
      ],
    ),
  },
  {
    ...expiryRule,
    id: 'T3',
    kind: 'key',
    facts: ['ttl'],
    sources: [
      ...parseSources('S0 unstated'),
      parseNotedSource('S1 recommended', 'It advises EXPIRE; what else it says is T2.', '建议使用 expire；其余见 T2。'),
    ],
    inDefaultProfile: { on: false, strength: 'advice' },
    text: toRuleTexts(
      ['Never expiring is unreasonable', 'The weaker form of “a key must expire”, as S0 and S1 put it.', 'As T1.'],
      ['永不过期是不合理的', '“必须过期”的较弱说法，出自 S0、S1。', '同 T1。'],
    ),
    violated: () => NEVER,
    unknown: () => 'NOT expiry_known',
  },
  {
    ...expiryRule,
    id: 'T4',
    kind: 'group',
    sources: [
      parseNotedSource('S0 advice', 'Equal times are discouraged.', '不建议使用相同的过期时间。'),
      ...parseSources('S1 recommended'),
      parseNotedSource(
        'S3 recommended',
        'Its rule on peak times says: not too concentrated.',
        '在“业务高峰期”一条中提出：过期时间不要过于集中。',
      ),
    ],
    params: {
      keys: numberParam(
        100,
        'keys',
        'ours',
        'Keys of one prefix that expire in one minute, at least',
        '同一前缀一分钟内到期的键数至少',
        { min: 1 },
      ),
      times: numberParam(
        5,
        'times',
        'ours',
        'and this many times what an even spread would give',
        '且为均匀分布的多少倍',
        { min: 1 },
      ),
    },
    inDefaultProfile: { on: true, strength: 'recommended' },
    text: toRuleTexts(
      [
        'Keys must not expire at the same moment',
        'Keys that expire together are missed together: the database behind the cache gets all the requests at once, and the server spends its time expiring.',
        'Add jitter: EX base + random(0 … base / 5).',
      ],
      [
        '避免大量键同时过期',
        '一起过期就一起失效：请求同时打到后面的数据库，Redis 也忙于清理。',
        '加随机偏移：EX 基准 + random(0 … 基准/5)。',
      ],
    ),
  },
  {
    ...expiryRule,
    id: 'T5',
    kind: 'key',
    facts: ['ttl', 'type', 'length'],
    sources: [
      parseNotedSource(
        'S3 recommended',
        'Its rule on peak times: times to live that are too short or too concentrated let requests through to MySQL.',
        '业务高峰期过期时间“过短或者过于集中”，大量请求直接打到 MySQL。',
      ),
      parseNotedSource(
        'S0 unstated',
        'On peak times such as online registration: times to live that are too short let requests through to MySQL.',
        '报名等高峰期过期时间“设置过短”，大量请求直接打到 MySQL。',
      ),
    ],
    params: { seconds: numberParam(60, 'seconds', 'ours', 'At least this long to live', '剩余时间至少', { min: 1 }) },
    inDefaultProfile: { on: true, strength: 'advice' },
    text: toRuleTexts(
      [
        'Times to live must not be too short, at peak times least of all',
        'At peak times, when every entry that expires is asked for at once, short times let the requests through to the database; S0 and S3 name online registration. The rule sees the time that is left, so a few keys near their end are normal; a large share is not. Keys that are short-lived on purpose do not count: names that hint at a lock or a verification code, and cached empty answers (strings of at most 4 bytes).',
        'Keep values for at least a minute (a number of Colonnade), longer at peak times: at least over the whole peak.',
      ],
      [
        '过期时间不要太短，高峰期尤其如此',
        '高峰期请求集中，过期时间短就会穿透缓存，请求直接打到数据库；S0、S3 以线上报名为例。看到的是剩余时间，少量临近到期属正常，占比高则不正常。本就应短期有效的不算：键名为锁或验证码的，以及缓存的空值（不超过 4 字节的字符串）。',
        '至少保留一分钟（Colonnade 的默认值）；高峰期要更长，至少覆盖整个高峰。',
      ],
    ),
    violated: (p, sql) => tooShortSql(expiresSoonSql(p, sql)),
    unknown: (p, sql) => perhapsTooShortSql(expiresSoonSql(p, sql)),
  },
  {
    ...expiryRule,
    id: 'T6',
    kind: 'application',
    sources: parseSources('S2 mandatory', 'S3 mandatory'),
    inDefaultProfile: { on: true, strength: 'mandatory' },
    text: toRuleTexts(
      [
        'Set the expiry with the write',
        'Between SET and EXPIRE a process may die, and the key stays for ever. A key that replaces another leaves the former behind.',
        'SET … EX, or a script; delete the former key when the new one is written.',
      ],
      [
        '写入时同时设置过期',
        'SET 与 EXPIRE 之间进程可能退出，键就永远留下；换新键时旧键也会残留。',
        '用 SET … EX 或脚本；写新键时删除旧键。',
      ],
    ),
  },
  {
    ...expiryRule,
    id: 'T7',
    kind: 'group',
    sources: parseSources('S2 mandatory', 'S3 mandatory'),
    params: {
      days: numberParam(7, 'days', 'ours', 'Keys are long-lived from', '存活多少天起视为长期键', { min: 1 }),
      percent: numberParam(
        10,
        'percent',
        'ours',
        'Due with less than this of the usual time left',
        '剩余时间低于通常时长的多少视为即将到期',
        { min: 1, max: 100 },
      ),
      keys: numberParam(100, 'keys', 'ours', 'Due keys of one prefix, at least', '同一前缀即将到期的键数', { min: 1 }),
      share: numberParam(0.2, 'share', 'ours', 'and this share of its keys that expire', '且占该前缀会过期的键的比例', {
        min: 0,
        max: 1,
      }),
    },
    inDefaultProfile: { on: true, strength: 'advice' },
    text: toRuleTexts(
      [
        'Renew long-lived keys before they expire',
        'A hot key that expires sends every client to the database at the same moment. How long keys usually live is read off the longest times left in their prefix; where many have little of it left, nothing renews them.',
        'Renew them from a job, or refresh in the background when little time is left.',
      ],
      [
        '长期使用的键在到期前续期',
        '热点键到期的一刻，所有客户端同时去查数据库。通常时长按该前缀中最长的剩余时间估计；很多键所剩无几，说明没有续期。',
        '由任务续期，或剩余时间不多时后台刷新。',
      ],
    ),
  },
  {
    ...expiryRule,
    id: 'T8',
    kind: 'server',
    sources: parseSources('S4 unstated'),
    params: {
      percent: numberParam(10, 'percent', 'ours', 'Expired but present keys, at most', '已过期仍存在的键占比上限', {
        min: 0,
        max: 100,
      }),
      milliseconds: numberParam(
        50,
        'milliseconds',
        'ours',
        'One round of expiry takes at most, as LATENCY tells',
        '一轮过期清理最长耗时（据 LATENCY）',
        { min: 1 },
      ),
    },
    inDefaultProfile: { on: true, strength: 'advice' },
    text: toRuleTexts(
      [
        'Active expiry must keep up',
        'Redis looks at 20 random keys ten times a second, again while more than a quarter were expired (a tenth since 6.0), for at most 25 ms. Where that is not enough, expired keys keep their memory; a round that takes far longer has freed a bigkey.',
        'Spread expiries, raise active-expire-effort (6.0), and turn on lazyfree-lazy-expire (4.0).',
      ],
      [
        '主动过期清理应跟得上',
        'Redis 每秒 10 轮、每轮随机看 20 个键，过期超过四分之一（6.0 起为十分之一）就再来，最多 25 毫秒。跟不上时，过期键仍占内存；某一轮远超此时长，说明释放了大 key。',
        '打散过期时间，调大 active-expire-effort（6.0 起），并开启 lazyfree-lazy-expire（4.0 起）。',
      ],
    ),
    judge: judgeStale,
  },
];
