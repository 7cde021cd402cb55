import {
  commandRule,
  numberParam,
  onWithStrength,
  parseNotedSource,
  parseSources,
  serverRule,
  toRuleTexts,
} from '../entry';
import { judgeBatching, judgeErrors, judgeHits, judgeRoundTrips } from '../server/judge-traffic';
import type { RuleEntry } from '../types';

/**
 * Rules about how clients use the server: batches, round trips, hits, refusals, slots. Rules of kind `group` have no
 * predicate here: their queries are in lib/rules/groups/evaluate-groups.ts, by id.
 */
export const trafficRules: readonly RuleEntry[] = [
  {
    ...serverRule,
    id: 'C22',
    sources: parseSources('S1 unstated', 'S3 recommended'),
    params: {
      perSecond: numberParam(
        1000,
        'count',
        'ours',
        'Evaluated above this many commands per second',
        '每秒命令数超过此值才评估',
        { min: 0, whole: false },
      ),
      share: numberParam(0.01, 'share', 'ours', 'Batches are at least this share of commands', '批量命令占比至少', {
        min: 0,
        max: 1,
      }),
    },
    inDefaultProfile: onWithStrength('recommended'),
    text: toRuleTexts(
      [
        'Use batches: MGET, MSET, pipelines',
        'A round trip costs more than most commands. MGET and MSET are atomic; a pipeline is not, but can contain different commands, and client and server must both support it. In a cluster the keys of MGET lie in one slot, and a pipeline needs a client that sends each node its part. Violated if a server receives many commands, almost always only one per read of a connection, and almost none of them are batches.',
        'MGET/MSET for values, HMGET for fields, a pipeline for anything else; at most 500 elements at a time (C6), fewer of large ones.',
      ],
      [
        '使用批量操作：MGET、MSET、pipeline',
        '一次网络往返的开销高于多数命令。MGET、MSET 是原子操作；pipeline 不是原子操作，但可以包含不同命令，且客户端和服务端都要支持。集群中 MGET 的键要在同一槽位，pipeline 需要客户端按节点拆分。违反条件：服务器收到的命令很多，几乎每次从连接只读到一条命令，且其中几乎没有批量命令。',
        '取值用 MGET/MSET，取字段用 HMGET，其他用 pipeline；一次不超过 500 个元素（C6），元素大时更少。',
      ],
    ),
    judge: judgeBatching,
  },
  {
    ...serverRule,
    id: 'C23',
    sources: parseSources('S1 unstated', 'S3 recommended'),
    params: {
      perSecond: numberParam(
        500,
        'count',
        'ours',
        'Evaluated above this many GET per second',
        '每秒 GET 次数超过此值才评估',
        { min: 0, whole: false },
      ),
      share: numberParam(
        0.01,
        'share',
        'ours',
        'MGET calls are at least this share of GET calls',
        'MGET 与 GET 调用次数之比至少',
        { min: 0, max: 1 },
      ),
    },
    inDefaultProfile: onWithStrength('advice'),
    text: toRuleTexts(
      [
        'Few round trips: no flood of GET',
        'Keys that are needed together and read one by one wait for the network each time. Compares the calls of GET and MGET. Clients that use pipelines do not need MGET.',
        'Read what is needed together by one MGET or pipeline; keep values that rarely change in the application for some seconds.',
      ],
      [
        '减少往返：避免大量单个 GET',
        '一起用到的键逐个读取，每次都要等一次网络。比较 GET 与 MGET 的调用次数。已使用 pipeline 的客户端不需要 MGET。',
        '一起用到的键用一次 MGET 或 pipeline 读取；很少变化的值在应用内缓存数秒。',
      ],
    ),
    judge: judgeRoundTrips,
  },
  {
    ...commandRule,
    kind: 'group',
    id: 'C24',
    sources: [
      ...parseSources('S3 mandatory'),
      parseNotedSource(
        'S1 recommended',
        'Know how many fields (N) HGETALL returns.',
        'HGETALL 要明确返回的字段数（N）。',
      ),
    ],
    params: {
      elements: numberParam(
        1000,
        'elements',
        'ours',
        'A hash is large for HGETALL from',
        '字段数超过此值的 hash 不宜 HGETALL',
        { min: 1 },
      ),
    },
    inDefaultProfile: onWithStrength('mandatory'),
    text: toRuleTexts(
      [
        'HGETALL, HKEYS and HVALS only on small hashes',
        'The slow log names the hashes that HGETALL, HKEYS and HVALS read; the scan knows how many fields these have. Where the commands are called and the slow log names none, large hashes are not evaluated: fast calls leave no trace.',
        'HMGET the fields that are needed, or HSCAN in steps; HLEN first where the length is not known.',
      ],
      [
        'HGETALL、HKEYS、HVALS 只用于小 hash',
        '慢日志记录了 HGETALL、HKEYS、HVALS 读取的 hash，扫描知道它们的字段数。调用过这些命令但慢日志没有记录时，大 hash 列为未评估：较快的调用不会留下痕迹。',
        '用 HMGET 取需要的字段，或 HSCAN 分步读取；不确定长度时先用 HLEN 判断。',
      ],
    ),
  },
  {
    ...serverRule,
    id: 'C25',
    sources: [
      parseNotedSource('S0 unstated', 'Beware of cache penetration.', '提防缓存穿透。'),
      parseNotedSource(
        'S3 recommended',
        'Caused by times to live that are too short or end at the same time.',
        '由过期时间过短或集中过期造成。',
      ),
    ],
    params: {
      ratio: numberParam(0.8, 'share', 'ours', 'Reads that find a key, at least', '命中率至少', { min: 0, max: 1 }),
      lookups: numberParam(10_000, 'count', 'ours', 'Evaluated from this many reads', '读取次数达到此数才评估', {
        min: 1,
      }),
    },
    inDefaultProfile: onWithStrength('recommended'),
    text: toRuleTexts(
      [
        'Reads must find what they look for',
        'A miss goes to the database. Many misses are caused by times to live that are too short, by keys that expire at the same moment, or by requests for data that does not exist (cache penetration). Measured by keyspace_hits and keyspace_misses.',
        'Cache empty answers for a short time (C20) or ask a Bloom filter first; spread and lengthen expiries (T4, T5).',
      ],
      [
        '读命中率不应过低',
        '未命中的请求会打到数据库。未命中多，通常是过期过短、键集中过期，或请求不存在的数据（缓存穿透）。根据 keyspace_hits 与 keyspace_misses 统计。',
        '短时间缓存空值（C20）或先查布隆过滤器；延长并打散过期时间（T4、T5）。',
      ],
    ),
    judge: judgeHits,
  },
  {
    ...serverRule,
    id: 'C26',
    sources: [
      parseNotedSource('S1 recommended', 'Mentions OOM in its rule on eviction.', '在淘汰策略一条中提到 OOM。'),
      parseNotedSource('S3 recommended', 'Mentions OOM in its rule on eviction.', '在淘汰策略一条中提到 OOM。'),
    ],
    inDefaultProfile: onWithStrength('recommended'),
    text: toRuleTexts(
      [
        'No write may be refused for lack of memory (OOM)',
        'With noeviction, or a volatile policy and nothing left that expires, the server answers “OOM command not allowed when used memory > maxmemory” and serves reads only. errorstats count these answers since 6.2 (not beyond 128 kinds of errors).',
        'Raise maxmemory, let keys expire, or choose a policy that can evict (C16); find what grows in the tree and in a comparison of snapshots.',
      ],
      [
        '不应有写入因内存不足被拒绝（OOM）',
        'noeviction，或 volatile 策略下已没有会过期的键时，服务器返回“OOM command not allowed when used memory > maxmemory”，只能读。6.2 起 errorstats 统计这类错误（错误种类超过 128 种后不再统计）。',
        '调大 maxmemory、设置过期，或选择能淘汰的策略（C16）；在树和快照对比中找出增长的部分。',
      ],
    ),
    judge: judgeErrors('OOM', 'oomErrors'),
  },
  {
    ...serverRule,
    id: 'C27',
    sources: parseSources('S1 advice', 'S3 recommended'),
    inDefaultProfile: onWithStrength('recommended'),
    text: toRuleTexts(
      [
        'No command may ask for keys of different slots (CROSSSLOT)',
        'In a cluster MGET, MSET, set operations, transactions and scripts need all their keys in one slot; others are refused. errorstats count these answers since 6.2.',
        'Give keys that are used together one hash tag, few keys per tag (N22), or split the command by slot in the client.',
      ],
      [
        '不应有命令跨槽访问（CROSSSLOT）',
        '集群中 MGET、MSET、集合运算、事务和脚本的键必须在同一槽位，否则被拒绝。6.2 起 errorstats 统计这类错误。',
        '一起使用的键加相同的 hash tag，并控制每个 tag 的键数（N22）；或由客户端按槽位拆分命令。',
      ],
    ),
    judge: judgeErrors('CROSSSLOT', 'crossSlotErrors'),
  },
  {
    ...commandRule,
    kind: 'group',
    id: 'C28',
    sources: [
      ...parseSources('S1 advice', 'S3 recommended'),
      parseNotedSource('S0 unstated', 'A {} prefix puts them in one slot.', '用 {} 前缀放到同一槽位。'),
    ],
    params: {
      fields: numberParam(2, 'count', 'ours', 'Sibling keys of one object, at least', '同一对象的并列键至少', {
        min: 2,
      }),
      keys: numberParam(1000, 'keys', 'ours', 'In at least this many keys', '涉及的键至少', { min: 1 }),
    },
    inDefaultProfile: onWithStrength('advice'),
    text: toRuleTexts(
      [
        'Keys that are used together must lie in one slot',
        'In a cluster user:1:name and user:1:cart lie on different nodes: no MGET, transaction or script can take both. Lists candidates only: Colonnade cannot see whether they are used together.',
        'Where they are used together: user:{1}:name and user:{1}:cart, or one hash (V13). Otherwise leave them apart; S3 warns of many keys per tag.',
      ],
      [
        '一起使用的键应落在同一槽位',
        '集群中 user:1:name 与 user:1:cart 位于不同节点，MGET、事务、脚本都不能同时使用。这里只列候选：Colonnade 无法得知它们是否一起使用。',
        '一起使用时写成 user:{1}:name、user:{1}:cart，或合为一个 hash（V13）；否则保持分散，S3 提醒控制同一 tag 的键数。',
      ],
    ),
  },
];
