import { AppError } from '@/lib/model/errors';
import type { RedisSession } from './types';

export interface DatabaseKeys {
  db: number;
  keys: number;
  expires: number | null;
}

/**
 * Databases of one node with their key counts, from `INFO keyspace`; only database 0 by `DBSIZE` where INFO is denied;
 * null where both are. Counts are of this moment and include keys that expired but are still there.
 */
export async function readKeyspace(session: RedisSession, address: string): Promise<DatabaseKeys[] | null> {
  const client = await session.client(address);
  const info = await answer(client.info('keyspace'));
  if (info?.includes('# Keyspace')) {
    return [...info.matchAll(/^db(\d+):keys=(\d+)(?:,expires=(\d+))?/gm)].map((m) => ({
      db: Number(m[1]),
      keys: Number(m[2]),
      expires: m[3] === undefined ? null : Number(m[3]),
    }));
  }
  const size = await answer(client.dbsize());
  return size === null ? null : [{ db: 0, keys: size, expires: null }];
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
