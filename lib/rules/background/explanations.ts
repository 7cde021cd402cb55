import type { RuleInfo } from '@/lib/model/rules/rules';

/**
 * Background of single rules, by rule id: one paragraph per entry, longer than the rule's own text. The rule's page
 * shows it.
 */
export const explanations: Readonly<Record<string, NonNullable<RuleInfo['background']>>> = {
  T8: {
    en: [
      'Passive expiry (lazy deletion in S4): whoever reads or writes an expired key makes the master delete it first (a replica waits for its master). It is always on; a key that nobody touches stays.',
      'Active expiry (periodic deletion): hz times a second (10 by default) the server takes 20 random keys that have an expiry, deletes the expired ones, and repeats while more than a quarter were expired, for at most 25 ms of each 100 ms. Since 6.0 it repeats while more than 10 % were expired, and active-expire-effort (1 to 10) makes it look at more keys, for longer, and tolerate fewer.',
      'Timer expiry (one timer per key) is the third way S4 names. Redis does not do it: many keys that expire at one moment would take the CPU from everything else.',
      'lazyfree-lazy-expire is another matter: it says who frees the memory of an expired key. With no (and before 4.0, which has no such setting), the main thread does, in one go; with yes (the default of Valkey 8.0), a background thread frees collections of more than 64 allocations. Strings are freed in the main thread either way.',
    ],
    'zh-CN': [
      '被动过期（S4 称惰性删除）：访问已过期的键时，主节点先将其删除（从节点等待主节点）。始终启用；没人访问的键会一直留着。',
      '主动过期（定期删除）：每秒 hz 次（默认 10），随机取 20 个设有过期的键，删除其中已过期的；过期比例超过四分之一就再来一轮，每 100 ms 最多用 25 ms。6.0 起改为过期比例超过 10% 就再来一轮，active-expire-effort（1 到 10）可调大每轮的键数和时长，并降低这一比例。',
      '定时过期（每个键一个定时器）是 S4 列出的第三种方式，Redis 并不采用：大量键同时到期会占满 CPU。',
      'lazyfree-lazy-expire 是另一回事：它决定过期键的内存由谁释放。no（以及没有该配置的 4.0 之前版本）由主线程一次性释放；yes（Valkey 8.0 的默认值）由后台线程释放超过 64 块内存的非字符串键。字符串始终在主线程释放。',
    ],
  },
  C16: {
    en: [
      'noeviction (the default since 3.0; before it was volatile-lru, which S1 and S3 still name): nothing is evicted; writes are refused with OOM, reads go on. For data that must stay.',
      'allkeys-lru: of a few keys taken at random (maxmemory-samples, 5) it evicts the one that was not used for longest, with or without an expiry. The usual choice for a cache; S4 calls it common. allkeys-lfu (4.0) evicts what is used least often, and resists one large scan of cold keys.',
      'volatile-lru and volatile-lfu: the same among keys with an expiry only. Keys without one are never evicted, so where few keys expire the server answers OOM; S4 finds volatile-lru not very suitable.',
      'volatile-ttl: evicts what expires soonest, among samples too. Every volatile policy behaves as noeviction when no key has an expiry.',
      'allkeys-random and volatile-random: evict any key (any with an expiry). For keys that are all used alike.',
    ],
    'zh-CN': [
      'noeviction（3.0 起的默认值，之前为 volatile-lru，即 S1、S3 所说的默认）：不淘汰，写入报 OOM，读取照常。适合不能丢的数据。',
      'allkeys-lru：随机取几个键（maxmemory-samples，默认 5），淘汰其中最久未使用的，不论有无过期时间。缓存的常用选择，S4 也标为常用。allkeys-lfu（4.0 起）淘汰使用频率最低的键，不易被一次冷数据扫描冲掉。',
      'volatile-lru、volatile-lfu：只在设有过期的键中淘汰。没有过期的键永不淘汰，设有过期的键很少时会报 OOM；S4 认为 volatile-lru 不太适合。',
      'volatile-ttl：同样在样本中淘汰最早过期的键。没有设过期的键时，各 volatile 策略都等同 noeviction。',
      'allkeys-random、volatile-random：随机淘汰任意键（或任意设有过期的键）。适合各键访问机会均等的场景。',
    ],
  },
  V15: {
    en: [
      'Which type serves what, as S2 and S3 list it: String for plain key and value and simple types; Hash for objects with many properties, such as a resident, a doctor or a user; List for lists of followers and colleagues (both also name message queues, of which S0 and S3 advise against: C11); Set for recommendations; Sorted Set for rankings. Bitmap, HyperLogLog and geospatial indexes exist besides.',
      'Both add: where it is not certain that another type is better, take a string; weigh performance, memory and network for the case at hand.',
    ],
    'zh-CN': [
      'S2、S3 列出的用途：String 用于普通 K-V 和简单类型；Hash 用于属性较多的对象（居民、医生、用户等）；List 用于同行、关注列表（也提到消息队列，但 S0、S3 不建议，见 C11）；Set 用于推荐；Sorted Set 用于排行。另有 Bitmap、HyperLogLog 和地理空间索引。',
      '两份规范都说明：不能确定其他类型一定更优时使用 String；结合业务场景，综合评估性能、存储和网络。',
    ],
  },
  C13: {
    en: [
      'Take a connection, use it, give it back in finally (close() of a pooled Jedis gives it back). Bound the pool: connections = commands per second × seconds per command, with some to spare; of all application processes together below maxclients.',
      'Jedis: JedisPoolConfig.setMaxTotal(16), setMaxIdle(16), setMinIdle(4), setMaxWait(Duration.ofMillis(200)), setTestWhileIdle(true); new JedisPool(config, host, port, 2000 /* connect and read ms */, password). setTestOnBorrow costs one PING each time a connection is taken.',
      'Lettuce: one shared connection is thread-safe and pipelines by itself; a pool (ConnectionPoolSupport.createGenericObjectPool) only for transactions and blocking commands. ClientOptions: timeoutOptions(TimeoutOptions.enabled(Duration.ofMillis(500))), disconnectedBehavior(REJECT_COMMANDS).',
      'go-redis: redis.Options{PoolSize: 16, MinIdleConns: 4, PoolTimeout: 200 * time.Millisecond, DialTimeout: time.Second, ReadTimeout: 500 * time.Millisecond, ConnMaxIdleTime: 5 * time.Minute}. The pool is per node in a cluster.',
      'ioredis: one connection multiplexes all commands; no pool is needed but for blocking commands. { connectTimeout: 1000, commandTimeout: 500, maxRetriesPerRequest: 2, enableAutoPipelining: true }; create the client once per process, never per request.',
    ],
    'zh-CN': [
      '取连接、使用、在 finally 中归还（连接池中的 Jedis 调用 close() 即归还）。限制池大小：连接数 = 每秒命令数 × 单条耗时（秒），略留余量；所有应用进程之和低于 maxclients。',
      'Jedis：JedisPoolConfig.setMaxTotal(16)、setMaxIdle(16)、setMinIdle(4)、setMaxWait(Duration.ofMillis(200))、setTestWhileIdle(true)；new JedisPool(config, host, port, 2000 /* 连接与读取超时 ms */, password)。setTestOnBorrow 每次取连接多一条 PING。',
      'Lettuce：单个共享连接线程安全，自动 pipeline；仅事务和阻塞命令需要连接池（ConnectionPoolSupport.createGenericObjectPool）。ClientOptions：timeoutOptions(TimeoutOptions.enabled(Duration.ofMillis(500)))、disconnectedBehavior(REJECT_COMMANDS)。',
      'go-redis：redis.Options{PoolSize: 16, MinIdleConns: 4, PoolTimeout: 200 * time.Millisecond, DialTimeout: time.Second, ReadTimeout: 500 * time.Millisecond, ConnMaxIdleTime: 5 * time.Minute}。集群中每个节点各有一个池。',
      'ioredis：一个连接复用所有命令，除阻塞命令外无需连接池。{ connectTimeout: 1000, commandTimeout: 500, maxRetriesPerRequest: 2, enableAutoPipelining: true }；每个进程只创建一次，不要每个请求创建。',
    ],
  },
  C14: {
    en: [
      'A breaker counts failures and time limits. When too many of the last calls failed it opens: calls fail at once and the fallback answers (a local copy, an empty answer, the database with a bounded rate). After a pause it lets a few calls through, and closes when these succeed. Time limits come first: without them a breaker has nothing to count.',
      'Java (Jedis, Lettuce): Resilience4j, the successor of the Hystrix that the standards name: CircuitBreakerConfig.custom().slidingWindowSize(100).failureRateThreshold(50).slowCallDurationThreshold(Duration.ofMillis(200)).slowCallRateThreshold(50).waitDurationInOpenState(Duration.ofSeconds(10)).permittedNumberOfCallsInHalfOpenState(5).',
      'Go (go-redis): sony/gobreaker in a redis.Hook: gobreaker.Settings{Interval: 10 * time.Second, Timeout: 10 * time.Second, MaxRequests: 5, ReadyToTrip: more than half of at least 20 calls failed}. redis.Nil is an answer, not a failure.',
      'Node.js (ioredis): opossum around the calls: { timeout: 500, errorThresholdPercentage: 50, volumeThreshold: 20, resetTimeout: 10000 } with breaker.fallback(…); enableOfflineQueue: false, so that commands do not pile up while the connection is down.',
    ],
    'zh-CN': [
      '熔断器统计失败和超时：最近的调用失败过多时断开，调用立即失败并走降级（本地缓存、空结果，或限速访问数据库）；一段时间后放行少量调用，成功则恢复。前提是设置超时，否则无从统计。',
      'Java（Jedis、Lettuce）：Resilience4j（规范所举 Hystrix 的后继）：CircuitBreakerConfig.custom().slidingWindowSize(100).failureRateThreshold(50).slowCallDurationThreshold(Duration.ofMillis(200)).slowCallRateThreshold(50).waitDurationInOpenState(Duration.ofSeconds(10)).permittedNumberOfCallsInHalfOpenState(5)。',
      'Go（go-redis）：在 redis.Hook 中使用 sony/gobreaker：gobreaker.Settings{Interval: 10 * time.Second, Timeout: 10 * time.Second, MaxRequests: 5, ReadyToTrip: 至少 20 次调用且失败过半}。redis.Nil 是正常结果，不算失败。',
      'Node.js（ioredis）：用 opossum 包裹调用：{ timeout: 500, errorThresholdPercentage: 50, volumeThreshold: 20, resetTimeout: 10000 }，并设置 breaker.fallback(…)；enableOfflineQueue: false，避免断线期间命令堆积。',
    ],
  },
  V9: {
    en: [
      'The loops of S1 and S4 delete what is written meanwhile, let readers see half a key, fix the length of a list at the start (LLEN), and never pause. The ones below rename the key first (RENAMENX, in its own slot), so that readers see it whole or gone and a new key under the old name is not touched; they take away 100 elements at a time until the key is gone, with a pause in between, and need no DEL at the end.',
      'They need UNLINK (4.0): before, write DEL in its place, which there frees one allocation. They keep no copy and cannot be undone. A deletion in Colonnade does the same steps with an archive, throttled by the latency it measures.',
    ],
    'zh-CN': [
      'S1、S4 的循环会删掉期间新写入的数据，读取方会看到只删了一半的键，开头固定了 list 的长度（LLEN），而且从不停顿。下面的写法先改名（RENAMENX，同一槽位），读取方要么看到完整的键，要么看不到；同名的新键不受影响。每次删除 100 个元素并停顿，直到键消失，最后不需要 DEL。',
      '脚本需要 UNLINK（4.0 起）；之前的版本把它换成 DEL 即可，那里释放的只是一整块内存。这些脚本没有备份，无法撤销。Colonnade 的删除任务步骤相同，但先归档，并按实测延迟限速。',
    ],
  },
};
