import { commandRule, onWithStrength, parseSources, toRuleTexts } from '../entry';
import type { RuleEntry } from '../types';

const people = { ...commandRule, kind: 'application' } as const;

/** Rules about commands, caches and their plans that only people can evaluate. */
export const practiceRules: readonly RuleEntry[] = [
  {
    ...people,
    id: 'C9',
    sources: parseSources('S1 advice'),
    inDefaultProfile: onWithStrength('advice'),
    text: toRuleTexts(
      [
        'Lua in a cluster: keys in KEYS, in one slot',
        'A script that makes up names cannot be routed.',
        'Pass every key by KEYS and give them a common hash tag.',
      ],
      [
        '集群中的 Lua：键放在 KEYS，且同一槽位',
        '脚本里自己拼键名，集群无法路由。',
        '所有键通过 KEYS 传入，并使用相同的 hash tag。',
      ],
    ),
  },
  {
    ...people,
    id: 'C14',
    sources: parseSources('S1 recommended', 'S3 recommended'),
    inDefaultProfile: onWithStrength('recommended'),
    text: toRuleTexts(
      [
        'A circuit breaker in the client',
        'When Redis is slow, every request that waits for it makes the application slow as well.',
        'Set short time limits and a breaker with a fallback.',
      ],
      ['客户端要有熔断', 'Redis 变慢时，等待它的请求会把应用也拖慢。', '设置较短超时，并用带降级的熔断器。'],
    ),
  },
  {
    ...people,
    id: 'C17',
    sources: parseSources('S2 mandatory'),
    inDefaultProfile: onWithStrength('mandatory'),
    text: toRuleTexts(
      [
        'Apply before use',
        'Nobody plans capacity for keys that nobody knows of.',
        'Ask the owner of the instance: names, size, traffic, expiry.',
      ],
      ['使用前先申请', '没人知道的一类键，也没人为它做容量规划。', '向实例负责人说明：命名、大小、流量、过期。'],
    ),
  },
  {
    ...people,
    id: 'C18',
    sources: parseSources('S2 mandatory'),
    inDefaultProfile: onWithStrength('mandatory'),
    text: toRuleTexts(
      [
        'A cache only',
        'What cannot be rebuilt does not belong into memory alone.',
        'Keep the truth in a database; be able to lose Redis.',
      ],
      ['只作缓存', '无法重建的数据不应只放在内存里。', '以数据库为准，做到 Redis 数据丢失也能恢复。'],
    ),
  },
  {
    ...people,
    id: 'C19',
    sources: parseSources('S2 recommended'),
    inDefaultProfile: onWithStrength('recommended'),
    text: toRuleTexts(
      [
        'Plan the reload',
        'After a loss the cache must be filled again without breaking the database.',
        'Write the procedure down and practise it: order, rate, who.',
      ],
      ['规划好丢失后的重新加载', '缓存丢失后要重新加载，又不能压垮数据库。', '写好流程并演练：顺序、速率、负责人。'],
    ),
  },
  {
    ...people,
    id: 'C20',
    sources: parseSources('S0 unstated'),
    inDefaultProfile: onWithStrength('advice'),
    text: toRuleTexts(
      [
        'Cache that there is nothing',
        'Questions for what does not exist pass the cache every time.',
        'Cache the empty answer for a short time, or use a Bloom filter.',
      ],
      ['缓存空值', '查询不存在的数据每次都会穿透缓存。', '短时间缓存空结果，或用布隆过滤器。'],
    ),
  },
  {
    ...commandRule,
    kind: 'reference',
    id: 'C21',
    sources: parseSources('S1 recommended'),
    inDefaultProfile: onWithStrength('advice'),
    text: toRuleTexts(
      [
        'Tools: redis-port, redis-faina, a bigkey search',
        'The standard recommends tools for moving data, for hot keys and for bigkeys; the first two are no longer maintained.',
        'RedisShake moves data, redis-cli --hotkeys (with an LFU policy) finds hot keys without MONITOR, and the bigkey report covers the whole keyspace.',
      ],
      [
        '工具：redis-port、redis-faina、大 key 查找',
        '规范推荐的迁移、热点 key 和大 key 工具；前两个已不再维护。',
        '迁移可用 RedisShake；热点 key 可用 redis-cli --hotkeys（需 LFU 策略，不用 MONITOR）；大 key 报告已覆盖整个键空间。',
      ],
    ),
  },
];
