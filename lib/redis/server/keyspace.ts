import { AppError } from '@/lib/model/errors';
import type { RedisSession } from '@/lib/redis/connection/session';
import { type NodeKeyspace, probeDatabases } from './probe-databases';

/**
 * Reads the databases of one node with their key counts, from `INFO keyspace`, or, if that is denied, by selecting one
 * after the other. The counts are of this moment and include expired keys that still exist. Errors: `redis_unreachable`
 * and those of connecting.
 */
export async function readKeyspace(session: RedisSession, address: string): Promise<NodeKeyspace> {
  const client = await session.client(address);
  const info = await readOrNull(client.info('keyspace'));
  if (!info?.includes('# Keyspace')) return probeDatabases(session, address);
  const databases = [...info.matchAll(/^db(\d+):keys=(\d+)(?:,expires=(\d+))?/gm)].map((m) => ({
    db: Number(m[1]),
    keys: Number(m[2]),
    expires: m[3] === undefined ? null : Number(m[3]),
  }));
  return { databases, whole: true };
}

/** Returns null for an error reply such as a denial; a lost connection throws. */
async function readOrNull<T>(reply: Promise<T>): Promise<T | null> {
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
