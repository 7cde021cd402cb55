import { until } from './process';
import { type RedisServer, type ServerOptions, startRedis } from './redis';

/** Starts a replica and waits until it has finished its first synchronisation. */
export async function startReplica(master: RedisServer, options: ServerOptions = {}): Promise<RedisServer> {
  const replica = await startRedis({
    ...(master.password ? { password: master.password } : {}),
    ...options,
    // The old name of the option, which every version knows.
    args: ['--slaveof', master.host, String(master.port), ...(options.args ?? [])],
  });
  const client = replica.client();
  await until('the replica to be in sync', async () =>
    (await client.info('replication')).includes('master_link_status:up'),
  );
  // The master calls it online only after its first acknowledgement, up to a second later.
  const above = master.client();
  await until('the master to call the replica online', async () =>
    (await above.info('replication')).includes(`port=${replica.port},state=online`),
  );
  return replica;
}
