import { until } from './process';
import { quote, type RedisServer, type ServerOptions, startRedis } from './redis';

/** Starts a Sentinel that monitors `master` under `name`, and waits until it has found the replicas. */
export async function startSentinel(
  master: RedisServer,
  options: { name?: string; quorum?: number; password?: string; replicas?: number; wishes?: ServerOptions } = {},
): Promise<RedisServer> {
  const name = options.name ?? 'mymaster';
  const sentinel = await startRedis({
    ...options.wishes,
    ...(options.password ? { password: options.password } : {}),
    sentinel: [
      `sentinel monitor ${name} ${master.host} ${master.port} ${options.quorum ?? 1}`,
      ...(master.password ? [`sentinel auth-pass ${name} ${quote(master.password)}`] : []),
      `sentinel down-after-milliseconds ${name} 3000`,
      `sentinel failover-timeout ${name} 3000`,
    ],
  });
  const wanted = options.replicas ?? 0;
  const client = sentinel.client();
  if (wanted > 0) {
    await until('the sentinel to find the replicas', async () => {
      const list = (await client.call('SENTINEL', 'replicas', name)) as unknown[];
      return list.length >= wanted;
    });
  }
  return sentinel;
}
