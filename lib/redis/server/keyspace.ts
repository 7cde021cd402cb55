import { AppError } from '@/lib/model/errors';
import { isReplyError } from '@/lib/redis/connection/connection-errors';
import type { RedisSession } from '@/lib/redis/connection/session';
import { parseInfo, parseKeyspace } from '@/lib/redis/info/parse-info';
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
  const databases = parseKeyspace(parseInfo(info)).map(({ db, keys, expires }) => ({ db, keys, expires }));
  return { databases, whole: true };
}

/** Returns null for an error reply such as a denial; a lost connection throws. */
async function readOrNull<T>(reply: Promise<T>): Promise<T | null> {
  try {
    return await reply;
  } catch (error) {
    if (isReplyError(error)) return null;
    throw new AppError(
      'redis_unreachable',
      'The server did not answer while its databases were counted.',
      {},
      { cause: error },
    );
  }
}
