import {
  numberParam,
  onWithStrength,
  parseNotedSource,
  parseSources,
  serverRule,
  toRuleTexts,
  wordsParam,
} from '../entry';
import { judgeForbidden, judgeKeys, judgeLinear, judgeMonitor, judgeTransactions } from '../server/judge-commands';
import { judgeBatches, judgeHgetall, judgeUnboundedRanges } from '../server/judge-slowlog';
import type { RuleEntry } from '../types';

/** Rules about which commands are called and can be called, as far as the server reports it. */
export const commandRules: readonly RuleEntry[] = [
  {
    ...serverRule,
    id: 'C1',
    sources: [
      ...parseSources('S1 recommended', 'S3 mandatory'),
      parseNotedSource(
        'S0 mandatory',
        'It also names “hmgetall”, which is no command of Redis.',
        '还列出了“hmgetall”，Redis 并没有这个命令。',
      ),
    ],
    params: { commands: wordsParam(['keys', 'flushall', 'flushdb'], 'standard', 'Forbidden commands', '禁用的命令') },
    inDefaultProfile: onWithStrength('mandatory'),
    text: toRuleTexts(
      [
        'Forbid KEYS, FLUSHALL and FLUSHDB',
        'KEYS reads the whole keyspace in one go and everybody waits; FLUSH empties it. One wrong prompt is enough.',
        'Use SCAN. Take the commands from users: ACL SETUSER default -keys -flushall -flushdb (since 6.0), or rename-command.',
      ],
      [
        '禁用 KEYS、FLUSHALL、FLUSHDB',
        'KEYS 一次遍历全部键，所有人都要等；FLUSH 直接清空。敲错一次就够了。',
        '改用 SCAN；收回权限：ACL SETUSER default -keys -flushall -flushdb（6.0 起），或 rename-command。',
      ],
    ),
    judge: judgeForbidden,
  },
  {
    ...serverRule,
    id: 'C2',
    sources: parseSources('S2 mandatory', 'S0 mandatory'),
    inDefaultProfile: onWithStrength('mandatory'),
    text: toRuleTexts(
      [
        'No pattern matching with KEYS',
        'The statistics tell whether KEYS was called since they were last reset.',
        'Use SCAN with MATCH, or keep a set of the names you need.',
      ],
      [
        '不用 KEYS 做模式匹配',
        '命令统计能看出自上次重置以来是否调用过 KEYS。',
        '用 SCAN MATCH，或自己维护需要的键名集合。',
      ],
    ),
    judge: judgeKeys,
  },
  {
    ...serverRule,
    id: 'C3',
    sources: parseSources('S1 recommended', 'S2 recommended', 'S3 recommended', 'S0 caution'),
    params: {
      commands: wordsParam(
        ['hgetall', 'hkeys', 'hvals', 'lrange', 'smembers', 'zrange', 'zrevrange', 'sinter', 'sunion', 'sdiff', 'sort'],
        'standard',
        'Commands whose time grows with N',
        '耗时随 N 增长的命令',
      ),
      microseconds: numberParam(1000, 'microseconds', 'ours', 'On average at most', '平均耗时上限', { min: 1 }),
    },
    inDefaultProfile: onWithStrength('recommended'),
    text: toRuleTexts(
      [
        'Know N of HGETALL, LRANGE, SMEMBERS, ZRANGE, SINTER',
        'Their time grows with the collection; the average time per call shows whether the collections are too large.',
        'Read in steps: HSCAN, SSCAN, ZSCAN, or a bounded range.',
      ],
      [
        '使用 HGETALL、LRANGE、SMEMBERS、ZRANGE、SINTER 前明确 N（元素数）',
        '耗时随键的元素数增长；每次调用的平均耗时反映键是否过大。',
        '分步读取：HSCAN、SSCAN、ZSCAN，或限定范围。',
      ],
    ),
    judge: judgeLinear,
  },
  {
    ...serverRule,
    id: 'C4',
    sources: parseSources('S3 mandatory'),
    inDefaultProfile: onWithStrength('mandatory'),
    text: toRuleTexts(
      [
        'No unbounded ranges over sorted sets',
        'ZRANGE key 0 -1 returns everything, however much that has become.',
        'Give a range or LIMIT, and read page by page; ZCARD first where the length is not known.',
      ],
      [
        'zset 不做无界范围查询',
        'ZRANGE key 0 -1 会返回全部，不管已经多大。',
        '给出范围或 LIMIT，分页读取；不确定长度时先用 ZCARD 判断。',
      ],
    ),
    judge: judgeUnboundedRanges,
  },
  {
    ...serverRule,
    id: 'C5',
    sources: parseSources('S3 mandatory'),
    inDefaultProfile: onWithStrength('mandatory'),
    text: toRuleTexts(
      [
        'No HGETALL on a large hash',
        'An HGETALL in the slow log read a hash that is too large for it.',
        'Ask HLEN first; read large hashes by HSCAN or HMGET.',
      ],
      [
        '大 hash 不用 HGETALL',
        '慢日志里的 HGETALL 说明它读的 hash 过大。',
        '先用 HLEN 判断；大 hash 用 HSCAN 或 HMGET。',
      ],
    ),
    judge: judgeHgetall,
  },
  {
    ...serverRule,
    id: 'C6',
    sources: parseSources('S3 recommended', 'S1 unstated'),
    params: {
      arguments: numberParam(500, 'count', 'standard', 'Elements of one batch', '一次批量的元素个数', { min: 1 }),
    },
    inDefaultProfile: onWithStrength('recommended'),
    text: toRuleTexts(
      [
        'Batches of at most 500',
        'One command with thousands of arguments holds up the others as a bigkey does.',
        'Send several batches of at most 500.',
      ],
      ['批量操作不超过 500', '一条带数千参数的命令，与大 key 一样阻塞其他请求。', '拆成多个不超过 500 的批次。'],
    ),
    judge: judgeBatches,
  },
  {
    ...serverRule,
    id: 'C8',
    sources: parseSources('S1 advice', 'S3 recommended'),
    params: {
      share: numberParam(0.05, 'share', 'ours', 'MULTI at most this share of all calls', 'MULTI 占全部调用的上限', {
        min: 0,
        max: 1,
      }),
    },
    inDefaultProfile: onWithStrength('advice'),
    text: toRuleTexts(
      [
        'Few transactions',
        'Transactions do not roll back, and in a cluster all their keys must lie in one slot.',
        'Use a script, or one command that does it.',
      ],
      ['少用事务', '事务不会回滚，集群中所有键还必须在同一槽位。', '用脚本，或一条能完成的命令。'],
    ),
    judge: judgeTransactions,
  },
  {
    ...serverRule,
    id: 'C10',
    sources: parseSources('S1 advice'),
    inDefaultProfile: onWithStrength('recommended'),
    text: toRuleTexts(
      [
        'MONITOR must not be left running',
        'MONITOR copies every command to the watcher; under load its output buffer grows, by default without limit, and throughput may fall by half.',
        'End it (CLIENT KILL), and use the slow log or commandstats.',
      ],
      [
        '不要长时间使用 MONITOR',
        'MONITOR 把每条命令复制给执行 MONITOR 的客户端，高负载时输出缓冲区不断增长（默认没有上限），吞吐可能减半。',
        '结束它（CLIENT KILL），改用慢日志或命令统计。',
      ],
    ),
    judge: judgeMonitor,
  },
];
