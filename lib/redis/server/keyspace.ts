import { AppError } from '@/lib/model/errors';
import type { RedisSession } from '@/lib/redis/connection/session';
import { type NodeKeyspace, probeDatabases } from './probe-databases';

/**
 * Databases of one node with their key counts: from `INFO keyspace`, or where that is denied by selecting one after the
 * other. Counts are of this moment and include keys that expired but are still there. Errors: `redis_unreachable` and
 * what connecting throws.
 */
export async function readKeyspace(session: RedisSession, address: string): Promise<NodeKeyspace> {
  const client = await session.client(address);
  const info = await answer(client.info('keyspace'));
  if (!info?.includes('# Keyspace')) return probeDatabases(session, address);
  const databases = [...info.matchAll(/^db(\d+):keys=(\d+)(?:,expires=(\d+))?/gm)].map((m) => ({
    db: Number(m[1]),
    keys: Number(m[2]),
    expires: m[3] === undefined ? null : Number(m[3]),
  }));
  return { databases, whole: true };
}

/** Denied is an answer (null); a broken connection is not. */
async function answer<T>(reply: Promise<T>): Promise<T | null> {
  try {
    return await reply;
  } catch (error) {
    if (error instanceof Error && error.name === 'ReplyError') return null;
    throw new AppError(
      'redis_unreachable',
      'The server did not answer while its databases were counted.',
      {},
      { cause: error },
    );
  }
}
