import type { ConnectionTarget } from '@/lib/model/servers/instance';
import type { NodeFacts } from '@/lib/model/servers/server-facts';
import { failure, toConnectionError } from '@/lib/redis/connection/connection-errors';
import { whereOf } from '@/lib/redis/connection/node-client';
import type { RedisSession } from '@/lib/redis/connection/session';

/** Throws `redis_no_database` for the first of `databases` that the node does not have; null and [] pass. */
export async function checkDatabases(
  session: RedisSession,
  node: NodeFacts,
  databases: number[] | null,
): Promise<void> {
  for (const db of databases ?? []) {
    const where = whereOf(session.target as ConnectionTarget, node.host, node.port);
    try {
      // Selecting is the only question that every server answers.
      await session.client(node.address, db);
    } catch (error) {
      const reported = toConnectionError(error, where);
      if (reported.code !== 'redis_no_database') throw reported;
      throw failure(
        'redis_no_database',
        where,
        (at) =>
          session.target.topology === 'cluster'
            ? `${at} has no database ${db}. A Redis Cluster has database 0 only, one of Valkey 9 those below its "cluster-databases" setting.`
            : `${at} has no database ${db}. Choose one below its "databases" setting (usually 16: 0 to 15).`,
        { db },
      );
    }
  }
}
