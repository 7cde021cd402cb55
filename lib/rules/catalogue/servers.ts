import {
  commandRule,
  flagParam,
  numberParam,
  onWithStrength,
  parseNotedSource,
  parseSources,
  serverRule,
  toRuleTexts,
} from '../entry';
import { judgeAccess, judgeChurn } from '../server/judge-access';
import { judgeDatabases, judgeEviction } from '../server/judge-memory';
import type { RuleEntry } from '../types';

/** Rules about how servers are set up and what they are used for. */
export const serverRules: readonly RuleEntry[] = [
  {
    ...serverRule,
    id: 'C7',
    sources: parseSources('S1 recommended'),
    inDefaultProfile: onWithStrength('recommended'),
    text: toRuleTexts(
      [
        'Do not use several databases',
        'Databases of one instance share one thread and one memory, look alike in most tools, and do not exist in a cluster.',
        'Use one instance per application, or prefixes.',
      ],
      [
        '不使用多个数据库',
        '同一实例的多个库共用线程和内存，多数工具难以区分，集群也不支持。',
        '每个应用一个实例，或用前缀区分。',
      ],
    ),
    judge: judgeDatabases,
  },
  {
    ...commandRule,
    id: 'C11',
    kind: 'group',
    sources: [
      parseNotedSource(
        'S0 discouraged',
        'Its title says “not advised”; its text: strictly forbidden unless the need is very special.',
        '标题为“不建议”；正文：“如没有非常特殊的需求，严禁”。',
      ),
      parseNotedSource(
        'S3 caution',
        'With care; strictly forbidden unless the need is very special.',
        '慎用；“如没有非常特殊的需求，严禁”。',
      ),
    ],
    params: {
      elements: numberParam(
        1000,
        'elements',
        'ours',
        'A list of this many elements that is in use looks like a queue whatever its name',
        '使用中的列表达到此数即疑似队列，不论键名',
        { min: 1 },
      ),
      popsPerMinute: numberParam(
        1,
        'count',
        'ours',
        'Pops per minute that count as a queue; blocking pops always count',
        '每分钟弹出次数达到此数视为队列；阻塞弹出一律视为队列',
        { min: 0, whole: false },
      ),
      publishesPerMinute: numberParam(
        600,
        'count',
        'ours',
        'PUBLISH per minute that counts as messages; each Sentinel sends 30',
        '每分钟 PUBLISH 次数达到此数视为消息；每个 Sentinel 自身约 30 次',
        { min: 0, whole: false },
      ),
    },
    inDefaultProfile: onWithStrength('advice'),
    text: toRuleTexts(
      [
        'Redis is not a message queue',
        'A queue in Redis has limits of capacity, network, efficiency and function: a list has no acknowledgement and grows when its reader stops; a stream keeps what nobody trims. Lists of followers and timelines are no queues. A message that nobody receives at the moment of PUBLISH is lost. Violated if the statistics show blocking pops, or pops at one end and pushes at the other, and a list is in use whose name hints at a queue (if no list has such a name: a list that is long); if members of sorted sets are taken by their time and the name of one hints at delays; by every stream in use; and by many PUBLISH.',
        'Use Kafka, RocketMQ or NSQ. Where little is sent and it must stay in Redis, bound it: XADD … MAXLEN, or LTRIM after LPUSH, and watch its length.',
      ],
      [
        'Redis 不是消息队列',
        '用 Redis 当队列，容量、网络、效率、功能都有问题：list 没有确认机制，消费者一停就不断变长；stream 不修剪就一直保留。关注列表、时间线不算队列。PUBLISH 的消息没人接收就丢失。判为违反的依据：命令统计中有阻塞弹出，或一端写入、另一端弹出，且使用中的 list 键名像队列（没有这样的键名时，则看很长的 list）；按时间取出 zset 成员，且键名像延时队列；所有使用中的 stream；以及大量 PUBLISH。',
        '使用 Kafka、RocketMQ 或 NSQ。量小且必须留在 Redis 时要限长：XADD … MAXLEN，或 LPUSH 后 LTRIM，并监控长度。',
      ],
    ),
  },
  {
    ...commandRule,
    id: 'C12',
    kind: 'group',
    sources: parseSources('S1 recommended', 'S3 recommended', 'S0 unstated'),
    params: {
      applications: numberParam(5, 'count', 'ours', 'At most this many first segments', '首段个数上限', { min: 1 }),
      share: numberParam(
        0.01,
        'share',
        'ours',
        'A first segment counts from this share of keys',
        '首段占比超过此值才计入',
        { min: 0, max: 1 },
      ),
      segment: numberParam(1, 'segments', 'ours', 'The project is named up to this segment', '项目名截至第几段', {
        min: 1,
        max: 8,
      }),
    },
    inDefaultProfile: onWithStrength('advice'),
    text: toRuleTexts(
      [
        'One application per instance',
        'Applications on one instance slow each other down and share its limits and its failures. Counted are the project segments of the names, and the names of clients where CLIENT LIST may be read.',
        'Move unrelated prefixes to instances of their own.',
      ],
      [
        '一个实例一个应用',
        '同一实例上的应用互相拖慢，共用上限，也一起故障。按键名中的项目段计数；可读取 CLIENT LIST 时也按客户端名计数。',
        '把无关的前缀迁到各自的实例。',
      ],
    ),
  },
  {
    ...serverRule,
    id: 'C13',
    sources: parseSources('S1 recommended', 'S3 recommended'),
    params: {
      commands: numberParam(20, 'count', 'ours', 'Commands per connection, at least', '每个连接的命令数至少', {
        min: 1,
        // The number is compared with an average.
        whole: false,
      }),
      perSecond: numberParam(
        5,
        'count',
        'ours',
        'Evaluated above this many new connections per second',
        '每秒新建连接超过此值才评估',
        { min: 0, whole: false },
      ),
    },
    inDefaultProfile: onWithStrength('recommended'),
    text: toRuleTexts(
      [
        'Use a connection pool',
        'A connection costs more than most commands. Many connections with few commands each mean that there is no pool.',
        'Keep connections and bound their number in the client.',
      ],
      [
        '使用连接池',
        '建立连接的开销高于多数命令。连接很多而每个只发几条命令，说明没有连接池。',
        '在客户端保持并限制连接数。',
      ],
    ),
    judge: judgeChurn,
  },
  {
    ...serverRule,
    id: 'C15',
    sources: parseSources('S1 recommended', 'S3 mandatory'),
    params: {
      tls: flagParam(0, 'TLS is required', '要求 TLS'),
    },
    inDefaultProfile: onWithStrength('mandatory'),
    text: toRuleTexts(
      [
        'A password, and TLS where it is needed',
        'Without a password whoever reaches the port owns the data, and often the machine.',
        'Set a password or ACL users (6.0), bind to inner addresses, leave protected-mode (3.2) on.',
      ],
      [
        '设置密码，必要时启用 TLS',
        '没有密码，能连上端口的人就能读写全部数据，往往还能控制整台机器。',
        '设置密码或 ACL 用户（6.0 起），绑定内网地址，保持 protected-mode（3.2 起）开启。',
      ],
    ),
    judge: judgeAccess,
  },
  {
    ...serverRule,
    id: 'C16',
    sources: [
      ...parseSources('S1 recommended', 'S3 recommended'),
      parseNotedSource(
        'S4 unstated',
        'It lists the policies, calls allkeys-lru common and volatile-lru not very suitable.',
        '列出各策略：allkeys-lru“常用”，volatile-lru“不太适合”。',
      ),
    ],
    params: {
      share: numberParam(
        0.3,
        'share',
        'ours',
        'volatile-* needs this share of keys with expiry',
        'volatile-* 要求有过期的键占比至少',
        { min: 0, max: 1 },
      ),
      cache: flagParam(0, 'This is a cache: noeviction is a violation', '作为缓存使用：noeviction 视为违规'),
    },
    inDefaultProfile: onWithStrength('recommended'),
    text: toRuleTexts(
      [
        'A memory limit and an eviction policy that fits',
        'Without maxmemory a server grows until the system swaps or kills it. A volatile policy can only evict keys that expire. Both standards name volatile-lru as the default; it is noeviction since 3.0 (volatile-lru before).',
        'Set maxmemory, and choose allkeys-lru/lfu for caches, volatile-* only where most keys expire.',
      ],
      [
        '设置内存上限和合适的淘汰策略',
        '没有 maxmemory，内存会一直增长，直到系统使用 swap，或进程被 OOM Killer 终止；volatile 策略只能淘汰有过期时间的键。两份规范都说默认是 volatile-lru；实际 3.0 起为 noeviction（之前为 volatile-lru）。',
        '设置 maxmemory；缓存用 allkeys-lru/lfu，多数键都会过期时才用 volatile-*。',
      ],
    ),
    judge: judgeEviction,
  },
];
