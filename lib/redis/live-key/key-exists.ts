import type { RedisSession } from '@/lib/redis/connection/session';
import { getSlotMaster } from '@/lib/redis/connection/slot-master';
import { withTimeout } from '@/lib/redis/connection/with-timeout';
import { computeSlot } from '@/lib/redis/keys/slot';

/** The page does not depend on this answer, and in a cluster the name may belong to a node that is down. */
const LIMIT_MS = 1000;

/**
 * Returns whether a key of this name exists; null = unknown. It uses TYPE, which does not reset the idle time and which
 * every user that reads keys may send.
 */
export async function keyExists(session: RedisSession, key: Buffer, db: number): Promise<boolean | null> {
  const ask = async () => {
    const { address } = getSlotMaster(session, computeSlot(key), { orReplica: true });
    return (await session.client(address, db)).type(key);
  };
  try {
    return (await withTimeout(ask(), LIMIT_MS, () => new Error('too slow'))) !== 'none';
  } catch {
    return null;
  }
}
