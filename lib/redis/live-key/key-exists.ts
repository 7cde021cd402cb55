import { masterOfSlot } from '@/lib/redis/connection/master-of-slot';
import type { RedisSession } from '@/lib/redis/connection/session';
import { withTimeout } from '@/lib/redis/connection/with-timeout';
import { slotOf } from '@/lib/redis/keys/slot';

/** Beside what a page waits for: in a cluster the name may lie on a node that is down. */
const LIMIT_MS = 1000;

/**
 * Whether a key of this name is there; null: unknown. By TYPE, which touches no key and which whoever reads a key is
 * allowed to send.
 */
export async function keyExists(session: RedisSession, key: Buffer, db: number): Promise<boolean | null> {
  const ask = async () => {
    const { address } = masterOfSlot(session, slotOf(key), { orReplica: true });
    return (await session.client(address, db)).type(key);
  };
  try {
    return (await withTimeout(ask(), LIMIT_MS, () => new Error('too slow'))) !== 'none';
  } catch {
    return null;
  }
}
