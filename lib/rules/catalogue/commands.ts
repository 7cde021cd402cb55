import { flag, noted, number, said, texts, words } from '../entry';
import { judgeAccess, judgeChurn } from '../server/judge-access';
import { judgeForbidden, judgeKeys, judgeLinear, judgeMonitor, judgeTransactions } from '../server/judge-commands';
import { judgeDatabases, judgeEviction } from '../server/judge-memory';
import { judgeBatches, judgeHgetall, judgeUnboundedRanges } from '../server/judge-slowlog';
import type { RuleEntry } from '../types';

const base = { area: 'commands', nameOnly: false, facts: [], params: {}, contradicts: [] } as const;
const server = { ...base, kind: 'server' } as const;
const people = { ...base, kind: 'application' } as const;
const on = (strength: 'mandatory' | 'recommended' | 'advice') => ({ on: true, strength });

/** Commands, servers and clients, as far as the server tells. */
export const commandRules: readonly RuleEntry[] = [
  {
    ...server,
    id: 'C1',
    sources: [
      ...said('S1 recommended', 'S3 mandatory'),
      noted(
        'S0 mandatory',
        'It also names “hmgetall”, which is no command of Redis.',
        '还列出了“hmgetall”，Redis 并没有这个命令。',
      ),
    ],
    params: { commands: words(['keys', 'flushall', 'flushdb'], 'standard', 'Forbidden commands', '禁用的命令') },
    ours: on('mandatory'),
    text: texts(
      [
        'KEYS, FLUSHALL and FLUSHDB are forbidden',
        'KEYS reads the whole keyspace in one go and everybody waits; FLUSH empties it. One wrong prompt is enough.',
        'Use SCAN. Take the commands from users: ACL SETUSER default -keys -flushall -flushdb, or rename-command.',
      ],
      [
        '禁用 KEYS、FLUSHALL、FLUSHDB',
        'KEYS 一次遍历全部键，所有人都要等；FLUSH 直接清空。敲错一次就够了。',
        '改用 SCAN；收回权限：ACL SETUSER default -keys -flushall -flushdb，或 rename-command。',
      ],
    ),
    judge: judgeForbidden,
  },
  {
    ...server,
    id: 'C2',
    sources: said('S2 mandatory', 'S0 mandatory'),
    ours: on('mandatory'),
    text: texts(
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
    ...server,
    id: 'C3',
    sources: said('S1 recommended', 'S2 recommended', 'S3 recommended', 'S0 caution'),
    params: {
      commands: words(
        ['hgetall', 'hkeys', 'hvals', 'lrange', 'smembers', 'zrange', 'zrevrange', 'sinter', 'sunion', 'sdiff', 'sort'],
        'standard',
        'Commands whose time grows with N',
        '耗时随 N 增长的命令',
      ),
      microseconds: number(1000, 'microseconds', 'ours', 'On average at most', '平均耗时上限', { min: 1 }),
    },
    ours: on('recommended'),
    text: texts(
      [
        'Mind N in HGETALL, LRANGE, SMEMBERS, ZRANGE, SINTER',
        'Their time grows with the collection; the average time per call shows whether the collections are too large.',
        'Read in steps: HSCAN, SSCAN, ZSCAN, or a bounded range.',
      ],
      [
        '注意 HGETALL、LRANGE、SMEMBERS、ZRANGE、SINTER 的 N',
        '耗时随集合大小增长；每次调用的平均耗时反映集合是否过大。',
        '分步读取：HSCAN、SSCAN、ZSCAN，或限定范围。',
      ],
    ),
    judge: judgeLinear,
  },
  {
    ...server,
    id: 'C4',
    sources: said('S3 mandatory'),
    ours: on('mandatory'),
    text: texts(
      [
        'No unbounded ranges over sorted sets',
        'ZRANGE key 0 -1 returns everything, however much that has become.',
        'Give a range or LIMIT, and read page by page.',
      ],
      ['zset 不做无界范围查询', 'ZRANGE key 0 -1 会返回全部，不管已经多大。', '给出范围或 LIMIT，分页读取。'],
    ),
    judge: judgeUnboundedRanges,
  },
  {
    ...server,
    id: 'C5',
    sources: said('S3 mandatory'),
    ours: on('mandatory'),
    text: texts(
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
    ...server,
    id: 'C6',
    sources: said('S3 recommended', 'S1 unstated'),
    params: { arguments: number(500, 'count', 'standard', 'Elements of one batch', '一次批量的元素个数', { min: 1 }) },
    ours: on('recommended'),
    text: texts(
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
    ...server,
    id: 'C7',
    sources: said('S1 recommended'),
    ours: on('recommended'),
    text: texts(
      [
        'Do not use several databases',
        'Databases of one instance share one thread and one memory, cannot be told apart in most tools, and do not exist in a cluster.',
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
    ...server,
    id: 'C8',
    sources: said('S1 advice', 'S3 recommended'),
    params: {
      share: number(0.05, 'share', 'ours', 'MULTI at most this share of all calls', 'MULTI 占全部调用的上限', {
        min: 0,
        max: 1,
      }),
    },
    ours: on('advice'),
    text: texts(
      [
        'Few transactions',
        'Transactions do not roll back, and in a cluster all their keys must lie in one slot.',
        'Use a script, or one command that does it.',
      ],
      ['少用事务', '事务不会回滚，集群中所有键还必须在同一槽。', '用脚本，或一条能完成的命令。'],
    ),
    judge: judgeTransactions,
  },
  {
    ...people,
    id: 'C9',
    sources: said('S1 advice'),
    ours: on('advice'),
    text: texts(
      [
        'Lua in a cluster: keys in KEYS, in one slot',
        'A script that makes up names cannot be routed.',
        'Pass every key by KEYS and give them a common hash tag.',
      ],
      [
        '集群中的 Lua：键放在 KEYS，且同一槽',
        '脚本里自己拼键名，集群无法路由。',
        '所有键通过 KEYS 传入，并使用相同的哈希标签。',
      ],
    ),
  },
  {
    ...server,
    id: 'C10',
    sources: said('S1 advice'),
    ours: on('recommended'),
    text: texts(
      [
        'MONITOR is not left running',
        'MONITOR copies every command to the watcher; under load its buffer grows without limit and throughput halves.',
        'End it (CLIENT KILL), and use the slow log or commandstats.',
      ],
      [
        '不要长时间使用 MONITOR',
        'MONITOR 把每条命令复制给观察者，高负载时缓冲区无限增长，吞吐减半。',
        '结束它（CLIENT KILL），改用慢日志或命令统计。',
      ],
    ),
    judge: judgeMonitor,
  },
  {
    ...base,
    id: 'C11',
    kind: 'group',
    sources: [noted('S0 mandatory', 'Strict: never as a queue.', '态度严格：不得用作队列。'), ...said('S3 caution')],
    params: {
      elements: number(
        1000,
        'elements',
        'ours',
        'A list of this many elements that is in use looks like a queue',
        '使用中的列表超过此数疑似队列',
        { min: 1 },
      ),
    },
    ours: on('advice'),
    text: texts(
      [
        'Redis is not a message queue',
        'A list that is written and read all the time has no acknowledgement and grows when its reader stops.',
        'Use a message broker, or streams with consumer groups and MAXLEN.',
      ],
      [
        'Redis 不是消息队列',
        '一直在写入和读取的列表没有确认机制，消费者一停就不断变长。',
        '使用消息中间件，或带消费组和 MAXLEN 的 stream。',
      ],
    ),
  },
  {
    ...base,
    id: 'C12',
    kind: 'group',
    sources: said('S1 recommended', 'S3 recommended', 'S0 unstated'),
    params: {
      applications: number(5, 'count', 'ours', 'At most this many first segments', '首段个数上限', { min: 1 }),
      share: number(0.01, 'share', 'ours', 'A first segment counts from this share of keys', '首段占比超过此值才计入', {
        min: 0,
        max: 1,
      }),
    },
    ours: on('advice'),
    text: texts(
      [
        'One application per instance',
        'Applications on one instance slow each other down and share its limits and its failures.',
        'Move unrelated prefixes to instances of their own.',
      ],
      ['一个实例一个应用', '同一实例上的应用互相拖慢，共用上限，也一起故障。', '把无关的前缀迁到各自的实例。'],
    ),
  },
  {
    ...server,
    id: 'C13',
    sources: said('S1 recommended', 'S3 recommended'),
    params: {
      commands: number(20, 'count', 'ours', 'Commands per connection, at least', '每个连接的命令数至少', {
        min: 1,
        // An average.
        whole: false,
      }),
      perSecond: number(
        5,
        'count',
        'ours',
        'Judged above this many new connections per second',
        '每秒新建连接超过此值才判断',
        { min: 0, whole: false },
      ),
    },
    ours: on('recommended'),
    text: texts(
      [
        'Use a connection pool',
        'A connection costs more than most commands. Many connections with few commands each mean that there is no pool.',
        'Keep connections and bound their number in the client.',
      ],
      [
        '使用连接池',
        '建连接比多数命令都贵。连接很多而每个只发几条命令，说明没有连接池。',
        '在客户端保持并限制连接数。',
      ],
    ),
    judge: judgeChurn,
  },
  {
    ...people,
    id: 'C14',
    sources: said('S1 recommended', 'S3 recommended'),
    ours: on('recommended'),
    text: texts(
      [
        'A circuit breaker in the client',
        'When Redis is slow, every request that waits for it makes the application slow as well.',
        'Set short time limits and a breaker with a fallback.',
      ],
      ['客户端要有熔断', 'Redis 变慢时，等待它的请求会把应用也拖慢。', '设置较短超时，并用带降级的熔断器。'],
    ),
  },
  {
    ...server,
    id: 'C15',
    sources: said('S1 recommended', 'S3 mandatory'),
    params: {
      tls: flag(0, 'TLS is demanded', '要求 TLS'),
    },
    ours: on('mandatory'),
    text: texts(
      [
        'A password, and TLS where it is needed',
        'Without a password whoever reaches the port owns the data, and often the machine.',
        'Set a password or ACL users, bind to inner addresses, leave protected-mode on.',
      ],
      [
        '设置密码，必要时启用 TLS',
        '没有密码，谁能连上端口谁就拥有数据，往往还有整台机器。',
        '设置密码或 ACL 用户，绑定内网地址，保持 protected-mode 开启。',
      ],
    ),
    judge: judgeAccess,
  },
  {
    ...server,
    id: 'C16',
    sources: said('S1 recommended', 'S3 recommended'),
    params: {
      share: number(
        0.3,
        'share',
        'ours',
        'volatile-* needs this share of keys with expiry',
        'volatile-* 要求有过期的键占比至少',
        { min: 0, max: 1 },
      ),
      cache: flag(0, 'This is a cache: noeviction is accused', '作为缓存使用：noeviction 视为违规'),
    },
    ours: on('recommended'),
    text: texts(
      [
        'A memory limit and an eviction policy that fits',
        'Without maxmemory the system kills the process. A volatile policy can only evict keys that expire. (Both standards name volatile-lru as the default; it is noeviction.)',
        'Set maxmemory, and choose allkeys-lru/lfu for caches, volatile-* only where most keys expire.',
      ],
      [
        '设置内存上限和合适的淘汰策略',
        '没有 maxmemory，系统会杀掉进程；volatile 策略只能淘汰有过期时间的键。（两份规范都说默认是 volatile-lru，实际是 noeviction。）',
        '设置 maxmemory；缓存用 allkeys-lru/lfu，多数键都会过期时才用 volatile-*。',
      ],
    ),
    judge: judgeEviction,
  },
  {
    ...people,
    id: 'C17',
    sources: said('S2 mandatory'),
    ours: on('mandatory'),
    text: texts(
      [
        'Apply before use',
        'A key family that nobody knows of is planned for by nobody.',
        'Ask the owner of the instance: names, size, traffic, expiry.',
      ],
      ['使用前先申请', '没人知道的键族，也没人为它做容量规划。', '向实例负责人说明：命名、大小、流量、过期。'],
    ),
  },
  {
    ...people,
    id: 'C18',
    sources: said('S2 mandatory'),
    ours: on('mandatory'),
    text: texts(
      [
        'A cache only',
        'What cannot be rebuilt does not belong into memory alone.',
        'Keep the truth in a database; be able to lose Redis.',
      ],
      ['只作缓存', '无法重建的数据不应只放在内存里。', '真实数据放数据库，做到 Redis 丢了也能恢复。'],
    ),
  },
  {
    ...people,
    id: 'C19',
    sources: said('S2 recommended'),
    ours: on('recommended'),
    text: texts(
      [
        'Plan the reload',
        'After a loss the cache must be filled again without breaking the database.',
        'Write the procedure down and practise it: order, rate, who.',
      ],
      ['规划好数据重载', '缓存丢失后要重新加载，又不能压垮数据库。', '写好流程并演练：顺序、速率、负责人。'],
    ),
  },
  {
    ...people,
    id: 'C20',
    sources: said('S0 unstated'),
    ours: on('advice'),
    text: texts(
      [
        'Cache that there is nothing',
        'Questions for what does not exist pass the cache every time.',
        'Cache the empty answer for a short time, or use a Bloom filter.',
      ],
      ['缓存空值', '查询不存在的数据每次都会穿透缓存。', '短时间缓存空结果，或用布隆过滤器。'],
    ),
  },
  {
    ...base,
    kind: 'reference',
    id: 'C21',
    sources: said('S1 recommended'),
    ours: on('advice'),
    text: texts(
      [
        'Tools: redis-port, redis-faina, a bigkey search',
        'The standard recommends tools for moving data, for hot keys and for bigkeys.',
        'The bigkey report does the last for the whole keyspace.',
      ],
      [
        '工具：redis-port、redis-faina、大 key 查找',
        '规范推荐的迁移、热键和大 key 工具。',
        '大 key 报告已覆盖整个键空间。',
      ],
    ),
  },
];
